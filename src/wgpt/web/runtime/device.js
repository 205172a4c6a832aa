// The visitor's GPU: which of the exported kinds of Programs it can run, and why none, if so.

import { WgptError, readableBytes } from "./errors.js";

const SOFTWARE = /swiftshader|llvmpipe|lavapipe|basic render/i;

/**
 * Open the GPU and choose the first target that it supports.
 * @returns {Promise<{ adapter, device, target, software }>} `software`: a CPU computes in place of a GPU
 */
export async function openDevice(gpu, targets, wanted) {
  if (!gpu) {
    const where = globalThis.isSecureContext === false ? "WebGPU needs a page that is served over https" : "";
    throw new WgptError(
      "no-webgpu",
      where || "This browser has no WebGPU. Chrome, Edge and Safari 26 have it; in Firefox it depends on the system.",
    );
  }
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) throw new WgptError("no-webgpu", "This browser has WebGPU, but no GPU that it may use.");
  if (wanted && !targets.some(({ name }) => name === wanted)) {
    const names = targets.map(({ name }) => name).join(", ");
    throw new WgptError("input", `The model has no Programs for "${wanted}"; it has them for ${names}.`);
  }
  const candidates = targets.filter(({ name }) => !wanted || name === wanted);
  const language = gpu.wgslLanguageFeatures ?? new Set();
  const target = candidates.find((each) => !problem(adapter, language, each, Boolean(wanted)));
  if (!target) throw new WgptError("unsupported", problem(adapter, language, candidates.at(-1), true));
  const needs = { requiredFeatures: target.features, requiredLimits: target.limits };
  const device = await adapter.requestDevice(needs).catch((error) => {
    throw new WgptError("unsupported", `The GPU could not be opened: ${error.message}`);
  });
  return { adapter, device, target, software: isSoftware(adapter) };
}

function isSoftware({ info }) {
  return info.isFallbackAdapter || SOFTWARE.test(`${info.architecture} ${info.device} ${info.description}`);
}

/** Why a GPU cannot run a target's Programs; "" if it can. */
function problem(adapter, language, target, named) {
  const { info } = adapter;
  if (target.software && !isSoftware(adapter) && !named) return "It is meant for CPUs.";
  if (target.vendor && target.vendor !== info.vendor && !named) return `It is meant for GPUs of ${target.vendor}.`;
  const missing = target.features.find((feature) => !adapter.features.has(feature));
  if (missing) return `This GPU lacks ${missing}, which the model needs.`;
  const unknown = target.language.find((extension) => !language.has(extension));
  if (unknown) return `This browser's WebGPU lacks ${unknown}, which the model needs.`;
  const size = target.subgroup_size;
  if (size && (info.subgroupMinSize !== size || info.subgroupMaxSize !== size)) {
    return `The model needs subgroups of ${size}; this GPU has ${info.subgroupMinSize} to ${info.subgroupMaxSize}.`;
  }
  for (const [limit, needed] of Object.entries(target.limits)) {
    const most = adapter.limits[limit];
    if (most >= needed) continue;
    const [need, have] = limit.endsWith("Size") ? [readableBytes(needed), readableBytes(most)] : [needed, most];
    return `The model needs ${limit} of ${need}, and this GPU allows ${have}: a smaller data type may fit.`;
  }
  return "";
}
