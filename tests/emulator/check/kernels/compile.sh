#!/bin/sh
# Compiles the kernels of this folder to the PTX text beside them; needs nvcc. Run it in the repository root.
set -e
here=tests/emulator/check/kernels
for file in $here/*.cu; do
  out=${file%.cu}.ptx
  arch=sm_80
  case $file in */async.cu) arch=sm_90 ;; */bulk.cu) arch=sm_90a ;; esac
  nvcc -ptx -lineinfo -arch=$arch "$file" -o "$out"
  sed -i -E 's#"[^"]*/(tests/emulator/[^"]+)"#"\1"#; s#"/[^"]*/([^/"]+)"#"\1"#' "$out"
done
