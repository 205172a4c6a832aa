"""The part of webgpu.h that wgpt calls: functions, structs and enums, as Dawn's header of August 2026 declares them.

Types for graphics (samplers, textures) appear only where a struct that wgpt fills has a field for them. Dawn's own enum
values, from 0x50000 on, are not standard and change between versions, so the library is pinned.
"""

from __future__ import annotations

import re

OBJECTS = (
    *("Instance", "Adapter", "Device", "Queue", "Buffer", "ShaderModule", "BindGroupLayout", "PipelineLayout"),
    *("ComputePipeline", "BindGroup", "CommandEncoder", "ComputePassEncoder", "CommandBuffer", "QuerySet"),
)
_UNUSED = ("Surface", "Sampler", "TextureView")
ENUMS = {
    "SType": {
        "ShaderSourceWGSL": 0x2,
        "DawnTogglesDescriptor": 0x5000A,
        "AdapterPropertiesSubgroupMatrixConfigs": 0x5003B,
    },
    "FeatureName": {
        "TimestampQuery": 0x9,
        "ShaderF16": 0xB,
        "Subgroups": 0x12,
        "ImplicitDeviceSynchronization": 0x50004,
        "BufferMapExtendedUsages": 0x50013,
        "ChromiumExperimentalSubgroupMatrix": 0x50034,
    },
    "BackendType": {"Null": 1, "D3D12": 4, "Metal": 5, "Vulkan": 6},
    "AdapterType": {"DiscreteGPU": 1, "IntegratedGPU": 2, "CPU": 3, "Unknown": 4},
    "SubgroupMatrixComponentType": {"F32": 1, "F16": 2, "U32": 3, "I32": 4, "U8": 5, "I8": 6},
    "CallbackMode": {"AllowProcessEvents": 2, "AllowSpontaneous": 3},
    "ErrorType": {"Validation": 2, "OutOfMemory": 3, "Internal": 4},
    "BufferBindingType": {"Uniform": 2, "Storage": 3, "ReadOnlyStorage": 4},
    "FeatureLevel": {"Core": 2},
    "PowerPreference": {"LowPower": 1, "HighPerformance": 2},
    "QueryType": {"Timestamp": 2},
    "Status": {"Success": 1},
    "RequestAdapterStatus": {"Success": 1},
    "RequestDeviceStatus": {"Success": 1},
    "DeviceLostReason": {"Destroyed": 2},
    "MapAsyncStatus": {"Success": 1},
    "QueueWorkDoneStatus": {"Success": 1},
    "CreatePipelineAsyncStatus": {"Success": 1, "ValidationError": 3},
    "LoggingType": {"Warning": 3},
}
_LIMITS = """
    uint32_t maxTextureDimension1D; uint32_t maxTextureDimension2D; uint32_t maxTextureDimension3D;
    uint32_t maxTextureArrayLayers; uint32_t maxBindGroups; uint32_t maxBindGroupsPlusVertexBuffers;
    uint32_t maxBindingsPerBindGroup; uint32_t maxDynamicUniformBuffersPerPipelineLayout;
    uint32_t maxDynamicStorageBuffersPerPipelineLayout; uint32_t maxSampledTexturesPerShaderStage;
    uint32_t maxSamplersPerShaderStage; uint32_t maxStorageBuffersPerShaderStage;
    uint32_t maxStorageTexturesPerShaderStage; uint32_t maxUniformBuffersPerShaderStage;
    uint64_t maxUniformBufferBindingSize; uint64_t maxStorageBufferBindingSize;
    uint32_t minUniformBufferOffsetAlignment; uint32_t minStorageBufferOffsetAlignment;
    uint32_t maxVertexBuffers; uint64_t maxBufferSize; uint32_t maxVertexAttributes;
    uint32_t maxVertexBufferArrayStride; uint32_t maxInterStageShaderVariables; uint32_t maxColorAttachments;
    uint32_t maxColorAttachmentBytesPerSample; uint32_t maxComputeWorkgroupStorageSize;
    uint32_t maxComputeInvocationsPerWorkgroup; uint32_t maxComputeWorkgroupSizeX;
    uint32_t maxComputeWorkgroupSizeY; uint32_t maxComputeWorkgroupSizeZ; uint32_t maxComputeWorkgroupsPerDimension;
    uint32_t maxImmediateSize;
"""
LIMITS = tuple(re.findall(r"(m(?:ax|in)\w+);", _LIMITS))

_STRUCTS = {
    "StringView": "char const * data; size_t length;",
    "ChainedStruct": "struct WGPUChainedStruct * next; WGPUSType sType;",
    "Future": "uint64_t id;",
    "DawnTogglesDescriptor": """WGPUChainedStruct chain;
        size_t enabledToggleCount; char const * const * enabledToggles;
        size_t disabledToggleCount; char const * const * disabledToggles;""",
    "InstanceDescriptor": """WGPUChainedStruct * nextInChain;
        size_t requiredFeatureCount; void const * requiredFeatures; void const * requiredLimits;""",
    "RequestAdapterOptions": """WGPUChainedStruct * nextInChain; WGPUFeatureLevel featureLevel;
        WGPUPowerPreference powerPreference; WGPUBool forceFallbackAdapter; WGPUBackendType backendType;
        WGPUSurface compatibleSurface;""",
    "AdapterInfo": """WGPUChainedStruct * nextInChain;
        WGPUStringView vendor; WGPUStringView architecture; WGPUStringView device; WGPUStringView description;
        WGPUBackendType backendType; WGPUAdapterType adapterType; uint32_t vendorID; uint32_t deviceID;
        uint32_t subgroupMinSize; uint32_t subgroupMaxSize;""",
    "SubgroupMatrixConfig": """WGPUSubgroupMatrixComponentType componentType;
        WGPUSubgroupMatrixComponentType resultComponentType; uint32_t M; uint32_t N; uint32_t K;""",
    "AdapterPropertiesSubgroupMatrixConfigs": """WGPUChainedStruct chain;
        size_t configCount; WGPUSubgroupMatrixConfig const * configs;""",
    "Limits": "WGPUChainedStruct * nextInChain;" + _LIMITS,
    "QueueDescriptor": "WGPUChainedStruct * nextInChain; WGPUStringView label;",
    "UncapturedErrorCallbackInfo": """WGPUChainedStruct * nextInChain;
        WGPUUncapturedErrorCallback callback; void * userdata1; void * userdata2;""",
    "LoggingCallbackInfo": """WGPUChainedStruct * nextInChain;
        WGPULoggingCallback callback; void * userdata1; void * userdata2;""",
    **{
        f"{name}CallbackInfo": f"""WGPUChainedStruct * nextInChain; WGPUCallbackMode mode;
        WGPU{name}Callback callback; void * userdata1; void * userdata2;"""
        for name in (
            *("RequestAdapter", "RequestDevice", "DeviceLost", "BufferMap", "QueueWorkDone"),
            "CreateComputePipelineAsync",
        )
    },
    "DeviceDescriptor": """WGPUChainedStruct * nextInChain; WGPUStringView label;
        size_t requiredFeatureCount; WGPUFeatureName const * requiredFeatures; WGPULimits const * requiredLimits;
        WGPUQueueDescriptor defaultQueue; WGPUDeviceLostCallbackInfo deviceLostCallbackInfo;
        WGPUUncapturedErrorCallbackInfo uncapturedErrorCallbackInfo;""",
    "BufferDescriptor": """WGPUChainedStruct * nextInChain; WGPUStringView label;
        WGPUFlags usage; uint64_t size; WGPUBool mappedAtCreation;""",
    "BufferBindingLayout": """WGPUChainedStruct * nextInChain; WGPUBufferBindingType type;
        WGPUBool hasDynamicOffset; uint64_t minBindingSize;""",
    "SamplerBindingLayout": "WGPUChainedStruct * nextInChain; uint32_t type;",
    "TextureBindingLayout": """WGPUChainedStruct * nextInChain;
        uint32_t sampleType; uint32_t viewDimension; WGPUBool multisampled;""",
    "StorageTextureBindingLayout": """WGPUChainedStruct * nextInChain;
        uint32_t access; uint32_t format; uint32_t viewDimension;""",
    "BindGroupLayoutEntry": """WGPUChainedStruct * nextInChain; uint32_t binding; WGPUFlags visibility;
        uint32_t bindingArraySize; WGPUBufferBindingLayout buffer; WGPUSamplerBindingLayout sampler;
        WGPUTextureBindingLayout texture; WGPUStorageTextureBindingLayout storageTexture;""",
    "BindGroupLayoutDescriptor": """WGPUChainedStruct * nextInChain; WGPUStringView label;
        size_t entryCount; WGPUBindGroupLayoutEntry const * entries;""",
    "PipelineLayoutDescriptor": """WGPUChainedStruct * nextInChain; WGPUStringView label;
        size_t bindGroupLayoutCount; WGPUBindGroupLayout const * bindGroupLayouts; uint32_t immediateSize;""",
    "ShaderSourceWGSL": "WGPUChainedStruct chain; WGPUStringView code;",
    "ShaderModuleDescriptor": "WGPUChainedStruct * nextInChain; WGPUStringView label;",
    "ComputeState": """WGPUChainedStruct * nextInChain; WGPUShaderModule module; WGPUStringView entryPoint;
        size_t constantCount; void const * constants;""",
    "ComputePipelineDescriptor": """WGPUChainedStruct * nextInChain; WGPUStringView label;
        WGPUPipelineLayout layout; WGPUComputeState compute;""",
    "BindGroupEntry": """WGPUChainedStruct * nextInChain; uint32_t binding; WGPUBuffer buffer;
        uint64_t offset; uint64_t size; WGPUSampler sampler; WGPUTextureView textureView;""",
    "BindGroupDescriptor": """WGPUChainedStruct * nextInChain; WGPUStringView label; WGPUBindGroupLayout layout;
        size_t entryCount; WGPUBindGroupEntry const * entries;""",
    "PassTimestampWrites": """WGPUChainedStruct * nextInChain; WGPUQuerySet querySet;
        uint32_t beginningOfPassWriteIndex; uint32_t endOfPassWriteIndex;""",
    "ComputePassDescriptor": """WGPUChainedStruct * nextInChain; WGPUStringView label;
        WGPUPassTimestampWrites const * timestampWrites;""",
    "QuerySetDescriptor": "WGPUChainedStruct * nextInChain; WGPUStringView label; WGPUQueryType type; uint32_t count;",
}
_CALLBACKS = {
    "RequestAdapter": "WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView message",
    "RequestDevice": "WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView message",
    "DeviceLost": "WGPUDevice const * device, WGPUDeviceLostReason reason, WGPUStringView message",
    "UncapturedError": "WGPUDevice const * device, WGPUErrorType type, WGPUStringView message",
    "Logging": "WGPULoggingType type, WGPUStringView message",
    "BufferMap": "WGPUMapAsyncStatus status, WGPUStringView message",
    "QueueWorkDone": "WGPUQueueWorkDoneStatus status, WGPUStringView message",
    "CreateComputePipelineAsync": (
        "WGPUCreatePipelineAsyncStatus status, WGPUComputePipeline pipeline, WGPUStringView message"
    ),
}
_FUNCTIONS = """
WGPUInstance wgpuCreateInstance(WGPUInstanceDescriptor const * descriptor);
void wgpuInstanceProcessEvents(WGPUInstance instance);
WGPUFuture wgpuInstanceRequestAdapter(
    WGPUInstance instance, WGPURequestAdapterOptions const * options, WGPURequestAdapterCallbackInfo info);
WGPUStatus wgpuAdapterGetInfo(WGPUAdapter adapter, WGPUAdapterInfo * info);
void wgpuAdapterInfoFreeMembers(WGPUAdapterInfo info);
void wgpuAdapterPropertiesSubgroupMatrixConfigsFreeMembers(WGPUAdapterPropertiesSubgroupMatrixConfigs configs);
WGPUStatus wgpuAdapterGetLimits(WGPUAdapter adapter, WGPULimits * limits);
WGPUBool wgpuAdapterHasFeature(WGPUAdapter adapter, WGPUFeatureName feature);
WGPUFuture wgpuAdapterRequestDevice(
    WGPUAdapter adapter, WGPUDeviceDescriptor const * descriptor, WGPURequestDeviceCallbackInfo info);
void wgpuDeviceDestroy(WGPUDevice device);
WGPUQueue wgpuDeviceGetQueue(WGPUDevice device);
void wgpuDeviceSetLoggingCallback(WGPUDevice device, WGPULoggingCallbackInfo info);
WGPUBuffer wgpuDeviceCreateBuffer(WGPUDevice device, WGPUBufferDescriptor const * descriptor);
WGPUBindGroupLayout wgpuDeviceCreateBindGroupLayout(
    WGPUDevice device, WGPUBindGroupLayoutDescriptor const * descriptor);
WGPUPipelineLayout wgpuDeviceCreatePipelineLayout(WGPUDevice device, WGPUPipelineLayoutDescriptor const * descriptor);
WGPUShaderModule wgpuDeviceCreateShaderModule(WGPUDevice device, WGPUShaderModuleDescriptor const * descriptor);
WGPUFuture wgpuDeviceCreateComputePipelineAsync(
    WGPUDevice device, WGPUComputePipelineDescriptor const * descriptor,
    WGPUCreateComputePipelineAsyncCallbackInfo info);
WGPUBindGroup wgpuDeviceCreateBindGroup(WGPUDevice device, WGPUBindGroupDescriptor const * descriptor);
WGPUQuerySet wgpuDeviceCreateQuerySet(WGPUDevice device, WGPUQuerySetDescriptor const * descriptor);
WGPUCommandEncoder wgpuDeviceCreateCommandEncoder(WGPUDevice device, void const * descriptor);
WGPUComputePassEncoder wgpuCommandEncoderBeginComputePass(
    WGPUCommandEncoder encoder, WGPUComputePassDescriptor const * descriptor);
void wgpuCommandEncoderCopyBufferToBuffer(WGPUCommandEncoder encoder, WGPUBuffer source, uint64_t sourceOffset,
    WGPUBuffer destination, uint64_t destinationOffset, uint64_t size);
void wgpuCommandEncoderResolveQuerySet(WGPUCommandEncoder encoder, WGPUQuerySet querySet, uint32_t firstQuery,
    uint32_t queryCount, WGPUBuffer destination, uint64_t destinationOffset);
WGPUCommandBuffer wgpuCommandEncoderFinish(WGPUCommandEncoder encoder, void const * descriptor);
void wgpuComputePassEncoderSetPipeline(WGPUComputePassEncoder encoder, WGPUComputePipeline pipeline);
void wgpuComputePassEncoderSetBindGroup(WGPUComputePassEncoder encoder, uint32_t groupIndex, WGPUBindGroup group,
    size_t dynamicOffsetCount, uint32_t const * dynamicOffsets);
void wgpuComputePassEncoderDispatchWorkgroups(WGPUComputePassEncoder encoder, uint32_t x, uint32_t y, uint32_t z);
void wgpuComputePassEncoderEnd(WGPUComputePassEncoder encoder);
void wgpuQueueSubmit(WGPUQueue queue, size_t commandCount, WGPUCommandBuffer const * commands);
void wgpuQueueWriteBuffer(
    WGPUQueue queue, WGPUBuffer buffer, uint64_t bufferOffset, void const * data, size_t size);
WGPUFuture wgpuQueueOnSubmittedWorkDone(WGPUQueue queue, WGPUQueueWorkDoneCallbackInfo info);
void wgpuBufferDestroy(WGPUBuffer buffer);
WGPUFuture wgpuBufferMapAsync(
    WGPUBuffer buffer, WGPUFlags mode, size_t offset, size_t size, WGPUBufferMapCallbackInfo info);
void const * wgpuBufferGetConstMappedRange(WGPUBuffer buffer, size_t offset, size_t size);
void * wgpuBufferGetMappedRange(WGPUBuffer buffer, size_t offset, size_t size);
void wgpuBufferUnmap(WGPUBuffer buffer);
""" + "\n".join(f"void wgpu{name}Release(WGPU{name} object);" for name in OBJECTS)

FUNCTIONS = tuple(re.findall(r"\b(wgpu\w+)\(", _FUNCTIONS))
STRUCTS = tuple(f"WGPU{name}" for name in _STRUCTS)


def text() -> str:
    """The header, for cffi."""
    lines = ["typedef uint64_t WGPUFlags;", "typedef uint32_t WGPUBool;"]
    lines += [f"typedef struct WGPU{name}Impl * WGPU{name};" for name in OBJECTS + _UNUSED]
    for name, values in ENUMS.items():
        items = [f"WGPU{name}_{key} = {value}" for key, value in values.items()]
        lines.append(
            f"typedef enum WGPU{name} {{ {', '.join([*items, f'WGPU{name}_Force32 = 0x7FFFFFFF'])} }} WGPU{name};"
        )
    for name, members in _STRUCTS.items():
        if name == "Future":  # callbacks take string views, and later structs contain callbacks
            lines += [
                f"typedef void (*WGPU{callback}Callback)({arguments}, void * userdata1, void * userdata2);"
                for callback, arguments in _CALLBACKS.items()
            ]
        lines.append(f"typedef struct WGPU{name} {{ {members} }} WGPU{name};")
    return "\n".join([*lines, _FUNCTIONS])
