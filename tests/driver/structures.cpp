#include <tg/driver/structures.hpp>

#include <doctest/doctest.h>

#ifdef TG_CUDA_H
#include <cuda.h>
#endif

using namespace tg::driver;

TEST_CASE("structures have the sizes of the driver's") {
  CHECK(sizeof(copy_2d) == 128);
  CHECK(sizeof(copy_3d) == 200);
  CHECK(sizeof(node_parameters) == 256);
  CHECK(sizeof(launch_attribute) == 72);
  CHECK(sizeof(stream_operation) == 48);
  CHECK(sizeof(tensor_map) == 128);
}

#ifdef TG_CUDA_H
TEST_CASE("structures agree with cuda.h") {
#define TG_SAME_SIZE(ours, theirs) CHECK(sizeof(ours) == sizeof(theirs))
#define TG_SAME_PLACE(ours, member, theirs, their_member) CHECK(offsetof(ours, member) == offsetof(theirs, their_member))
  TG_SAME_SIZE(copy_2d, CUDA_MEMCPY2D);
  TG_SAME_PLACE(copy_2d, from.pitch, CUDA_MEMCPY2D, srcPitch);
  TG_SAME_PLACE(copy_2d, to.device, CUDA_MEMCPY2D, dstDevice);
  TG_SAME_PLACE(copy_2d, width_bytes, CUDA_MEMCPY2D, WidthInBytes);
  TG_SAME_SIZE(copy_3d, CUDA_MEMCPY3D);
  TG_SAME_SIZE(copy_3d, CUDA_MEMCPY3D_PEER);
  TG_SAME_PLACE(copy_3d, from.height, CUDA_MEMCPY3D, srcHeight);
  TG_SAME_PLACE(copy_3d, to.host, CUDA_MEMCPY3D, dstHost);
  TG_SAME_PLACE(copy_3d, depth, CUDA_MEMCPY3D, Depth);
  TG_SAME_SIZE(uuid, CUuuid);
  TG_SAME_SIZE(device_properties, CUdevprop);
  TG_SAME_PLACE(device_properties, texture_align, CUdevprop, textureAlign);
  TG_SAME_SIZE(memory_location, CUmemLocation);
  TG_SAME_SIZE(memory_access_description, CUmemAccessDesc);
  TG_SAME_SIZE(pool_properties, CUmemPoolProps);
  TG_SAME_PLACE(pool_properties, max_bytes, CUmemPoolProps, maxSize);
  TG_SAME_SIZE(allocation_properties, CUmemAllocationProp);
  TG_SAME_SIZE(launch_attribute, CUlaunchAttribute);
  TG_SAME_PLACE(launch_attribute, value, CUlaunchAttribute, value);
  TG_SAME_SIZE(launch_config, CUlaunchConfig);
  TG_SAME_PLACE(launch_config, attributes, CUlaunchConfig, attrs);
  TG_SAME_SIZE(kernel_node_parameters, CUDA_KERNEL_NODE_PARAMS_v2);
  TG_SAME_PLACE(kernel_node_parameters, kernel, CUDA_KERNEL_NODE_PARAMS_v2, kern);
  TG_SAME_SIZE(set_node_parameters, CUDA_MEMSET_NODE_PARAMS);
  TG_SAME_SIZE(copy_node_parameters, CUDA_MEMCPY_NODE_PARAMS);
  TG_SAME_SIZE(host_node_parameters, CUDA_HOST_NODE_PARAMS);
  TG_SAME_SIZE(allocation_node_parameters, CUDA_MEM_ALLOC_NODE_PARAMS);
  TG_SAME_PLACE(allocation_node_parameters, address, CUDA_MEM_ALLOC_NODE_PARAMS, dptr);
  TG_SAME_SIZE(stream_operation, CUstreamBatchMemOpParams);
  TG_SAME_PLACE(stream_operation, flags, CUstreamBatchMemOpParams, waitValue.flags);
  TG_SAME_SIZE(batch_node_parameters, CUDA_BATCH_MEM_OP_NODE_PARAMS);
  TG_SAME_SIZE(node_parameters, CUgraphNodeParams);
  TG_SAME_PLACE(node_parameters, kernel, CUgraphNodeParams, kernel);
  TG_SAME_SIZE(edge_data, CUgraphEdgeData);
  TG_SAME_SIZE(update_info, CUgraphExecUpdateResultInfo);
  TG_SAME_SIZE(instantiate_parameters, CUDA_GRAPH_INSTANTIATE_PARAMS);
  TG_SAME_SIZE(tensor_map, CUtensorMap);
#undef TG_SAME_PLACE
#undef TG_SAME_SIZE
}
#endif
