// Control flow, barriers, fences and what warps do together.
#pragma once

#include <tg/ptx/forms/form_row.hpp>

namespace tg::ptx::forms {

using enum opcode;

inline constexpr form_row control[] = {
    {bra, "[.uni]", "L"},
    {brx, ".idx[.uni]", "a:u32,L{}"},
    {call, "[.uni]", "(),F,()[,x]"},
    {ret, "[.uni]", ""},
    {exit, "", ""},
    {trap, "", ""},
    {brkpt, "", ""},
    {assume, "", "!q"},
    {assume, ".warp.b32", "a,i"},
    {opcode::label, "", "L"},
    {nanosleep, ".u32", "a", 70, 63},
    {pmevent, "", "i"},
    {griddepcontrol, ".{launch_dependents|wait}", "", 90, 78},
    {setmaxnreg, ".{inc|dec}.sync.aligned.u32", "i", 90, 80, 'a'},

    {bar, "[.cta].sync", "a:u32[,b:u32]"},
    {bar, "[.cta].arrive", "a:u32,b:u32"},
    {bar, "[.cta].red.popc.u32", "d,a,!q"},
    {bar, "[.cta].red.popc.u32", "d,a,b,!q"},
    {bar, "[.cta].red.{and|or}.pred", "p,a:u32,!q"},
    {bar, "[.cta].red.{and|or}.pred", "p,a:u32,b:u32,!q"},
    {bar, ".warp.sync", "a:b32"},
    {barrier, "[.cta].sync[.aligned]", "a:u32[,b:u32]"},
    {barrier, "[.cta].arrive[.aligned]", "a:u32,b:u32"},
    {barrier, "[.cta].red[.aligned].popc.u32", "d,a,!q"},
    {barrier, "[.cta].red[.aligned].popc.u32", "d,a,b,!q"},
    {barrier, "[.cta].red[.aligned].{and|or}.pred", "p,a:u32,!q"},
    {barrier, "[.cta].red[.aligned].{and|or}.pred", "p,a:u32,b:u32,!q"},
    {barrier, ".red.popc[.aligned].u32", "d,a,!q"},

    {membar, ".{cta|gl|sys}", ""},
    {membar, ".proxy.alias", "", 70, 75},
    {fence, "[.{sc|acq_rel}].{cta|gpu|sys}", "", 70},
    {fence, "[.{sc|acq_rel}].cluster", "", 90, 78},
    {fence, ".{acquire|release}.{SCOPE}", "", 70, 86},
    {fence, ".proxy.alias", "", 70, 75},

    {activemask, ".b32", "d", 50, 62},
    {elect, ".sync", "d&p:b32,a:b32", 90, 80},
    {shfl, ".sync.{up|down|bfly|idx}.b32", "d|p,a,b,c,e"},
    {vote, ".sync.{all|any|uni}.pred", "p,!q,e:b32"},
    {vote, ".sync.ballot.b32", "d,!q,e"},
    {match, ".any.sync.{b32|b64}", "d:b32,a,e:b32", 70},
    {match, ".all.sync.{b32|b64}", "d|p:b32,a,e:b32", 70},
    {redux, ".sync.{add|min|max}.{u32|s32}", "d,a,e:b32", 80, 70},
    {redux, ".sync.{and|or|xor}.b32", "d,a,e", 80, 70},
};

}  // namespace tg::ptx::forms
