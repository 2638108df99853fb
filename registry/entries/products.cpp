// Entries of rows: products of matrices and systems of equations.
#include <registry/entry_of.hpp>
#include <registry/factorisations.hpp>
#include <registry/linear_algebra.hpp>
#include <registry/products.hpp>
#include <registry/sparse.hpp>

#include "entries.hpp"

void registry::add_products(entry_list& to) {
  each_factorisation(entry_adder{to, "factorisations"});
  each_of_linear_algebra(entry_adder{to, "linear_algebra"});
  each_product(entry_adder{to, "products"});
  each_sparse(entry_adder{to, "sparse"});
}
