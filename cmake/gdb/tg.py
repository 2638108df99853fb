"""How gdb prints values of the language, tiles, arrays and buffers: `source cmake/gdb/tg.py`, or the same line in ~/.gdbinit.

    (gdb) print i
    $1 = value<unsigned> in register 3: 256*uniform + thread.x
    (gdb) print tile
    $2 = tile<float> of 32 x 32, pitch 33
"""

import re
import struct

import gdb
import gdb.printing

SHORT = {"unsigned int": "unsigned", "unsigned long long": "unsigned long long", "unsigned long": "unsigned long"}


def short(kind):
    """The name of a type as one writes it: float, unsigned, f16."""
    name = str(kind.strip_typedefs())
    return SHORT.get(name, re.sub(r"\b(tg::|std::)", "", name))


def parts(text):
    """The name of a template and its arguments, of the text of a type."""
    text = text.strip()
    begin = text.find("<")
    if begin < 0:
        return text.rpartition("::")[2], []
    name, inside, depth, out, own = text[:begin].rpartition("::")[2], text[begin + 1 : text.rfind(">")], 0, [], ""
    for c in inside:
        depth += (c in "<(") - (c in ">)")
        if c == "," and depth == 0:
            out.append(own.strip())
            own = ""
        else:
            own += c
    return name, out + ([own.strip()] if own.strip() else [])


def number(text):
    found = re.match(r"-?\d+", text)
    return int(found[0]) if found else 0


OPERATORS = {"product": "*", "quotient": "/", "remainder": "%", "bit_and": "&", "bit_or": "|", "bit_xor": "^", "shift_left": "<<",
             "shift_right": ">>"}


def form_text(text):
    """What the type of an index says, as a sum: `256*uniform + thread.x`."""
    name, inside = parts(text)
    if name == "sum":
        terms = []
        for term in inside[1:]:
            _, (factor, atom) = parts(term)
            terms.append(form_text(atom) if number(factor) == 1 else f"{number(factor)}*{form_text(atom)}")
        offset = number(inside[0])
        return " + ".join(terms + ([str(offset)] if offset or not terms else []))
    if name == "thread":
        axis = re.search(r"'(.)'", inside[0])
        return f"thread.{axis[1] if axis else chr(number(inside[0]))}"
    if name == "uniform":
        divisor = number(inside[0])
        return "uniform" if divisor == 1 else f"{divisor}*uniform"
    if name == "steps":
        return "steps of a loop"
    if name in OPERATORS:
        return f"({form_text(inside[0])} {OPERATORS[name]} {form_text(inside[1])})"
    if name in ("minimum", "maximum"):
        return f"{name[:3]}({form_text(inside[0])}, {form_text(inside[1])})"
    return {"data": "depends on data", "traced": "judged when recorded"}.get(name, name)


def operand_text(operand):
    """Where an operand is: `in register 3`, or the number that it is."""
    kind, value = str(operand["kind"]).rpartition("::")[2], int(operand["value"])
    own = int(operand["id"])
    if kind == "reg":
        return f"in register {own}"
    if kind == "integer":
        return f"the number {value}"
    if kind == "f32":
        return f"the number {struct.unpack('<f', struct.pack('<I', value & 0xFFFFFFFF))[0]:g}"
    if kind == "f64":
        return f"the number {struct.unpack('<d', struct.pack('<q', value))[0]:g}"
    if kind == "address":
        base = str(operand["base"]).rpartition("::")[2]
        return f"at [{'register' if base == 'reg' else base} {own} + {value}]"
    return kind if kind in ("none", "sink") else f"{kind} {own}"


def layout_text(layout):
    name, inside = parts(layout)
    if name == "pitch_t":
        return f", pitch {number(inside[0])}"
    if name == "swizzle_t":
        return f", swizzle<{', '.join(str(number(one)) for one in inside)}>"
    return "" if name in ("void *", "void*") else f", {name.removesuffix('_t')}"


def numbers(array, count):
    """Elements of a tg::fixed_array."""
    elements = array["elements"]
    return [int(elements[k]) for k in range(count)]


def shape_text(extents):
    return "(" + ", ".join(map(str, extents)) + ")"


class Printer:
    def __init__(self, value):
        self.value, self.type = value, value.type.strip_typedefs()

    def argument(self, n):
        return self.type.template_argument(n)


class Operand(Printer):
    def to_string(self):
        return operand_text(self.value)


class Value(Printer):
    def to_string(self):
        form = parts(str(self.type))[1][1:]
        known = form_text(form[0]) if form else "depends on data"
        return f"value<{short(self.argument(0))}> {operand_text(self.value['operand'])}: {known}"


class Variable(Printer):
    def to_string(self):
        return f"var<{short(self.argument(0))}> {operand_text(self.value['register_'])}"


class Constant(Printer):
    def to_string(self):
        return f"constant {int(self.argument(0))}"


class Tile(Printer):
    def to_string(self):
        _, (_, shape, *layout) = parts(str(self.type))
        extents = " x ".join(str(number(one)) for one in parts(shape)[1])
        return f"tile<{short(self.argument(0))}> of {extents}{layout_text(layout[0]) if layout else ''}"


def extents_of(spread):
    """Rows and columns of a tile, from the type that says how it is spread over the threads; none where it does not say."""
    name, inside = parts(spread)
    if name in ("sums_spread", "left_spread", "group_spread", "fma_spread", "run_spread"):
        return number(inside[0]), number(inside[1])
    inner = extents_of(inside[0]) if inside else None
    if inner is None:
        return None
    rows, columns = inner
    return {"slice_spread": (rows, 1) if inside[-1] == "true" else (1, columns), "transposed_spread": (columns, rows),
            "coarse_spread": (rows, columns // max(number(inside[-1]), 1))}.get(name)


class RegisterTile(Printer):
    def to_string(self):
        extents = extents_of(str(self.argument(1)))
        of = f" of {extents[0]} x {extents[1]}" if extents else ""
        return f"register_tile<{short(self.argument(0))}>{of}, {len_of(self.value['registers_'])} registers per thread"


def len_of(array):
    return int(array.type.strip_typedefs().template_argument(1))


class Shape(Printer):
    def to_string(self):
        rank = int(self.argument(0))
        return shape_text(numbers(self.value["extents"], rank))


class Array(Printer):
    def to_string(self):
        leaf, rank = self.value["leaf_"], int(self.argument(1))
        name = parts(str(self.type))[0]
        if int(leaf["address"]) == 0:
            return f"{name}<{short(self.argument(0))}, {rank}> without memory"
        extents, strides = numbers(leaf["extents"]["extents"], rank), numbers(leaf["strides"]["extents"], rank)
        dense, step = [], 1
        for extent in reversed(extents):
            dense.insert(0, step)
            step *= extent
        rest = "" if strides == dense else f", strides {shape_text(strides)}"
        return f"{name}<{short(self.argument(0))}, {rank}> of shape {shape_text(extents)} at {int(leaf['address']):#x}{rest}"


class Buffer(Printer):
    def to_string(self):
        return f"buffer<{short(self.argument(0))}> of {int(self.value['size_'])} at {int(self.value['address_']):#x}"


def printers():
    out = gdb.printing.RegexpCollectionPrettyPrinter("tg")
    for name, pattern, printer in (("operand", r"^tg::ptx::operand$", Operand), ("value", r"^tg::value<.*>$", Value),
                                   ("var", r"^tg::var<.*>$", Variable), ("constant", r"^tg::constant<.*>$", Constant),
                                   ("tile", r"^tg::tile<.*>$", Tile), ("register_tile", r"^tg::register_tile<.*>$", RegisterTile),
                                   ("array_shape", r"^tg::array_shape<.*>$", Shape), ("array", r"^tg::array(_view)?<.*>$", Array),
                                   ("buffer", r"^tg::buffer<.*>$", Buffer)):
        out.add_printer(name, pattern, printer)
    return out


gdb.printing.register_pretty_printer(None, printers(), replace=True)
