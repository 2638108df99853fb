// Reports about kernels: `tg::to_html(tg::explain(kernel, "H100"))`.
#pragma once

#include <tg/explain/explain.hpp>
#include <tg/explain/index.hpp>
#include <tg/explain/to_html.hpp>
#include <tg/explain/to_text.hpp>
