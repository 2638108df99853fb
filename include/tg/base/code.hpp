// The stable number of everything tg can say is wrong. A number is never used for anything else.
#pragma once

namespace tg {

/// Stable error code, printed as TG<number>. 1xx language, 2xx analysis, 3xx IR, 4xx emulator, 5xx driver and runtime.
enum class code : int {};

}  // namespace tg
