// Replays exported Programs (wgpt-program, version 1) on a WebGPU device: the same shaders, the same numbers.

import { WgptError, readableBytes } from "./errors.js";

const MODES = { uniform: "uniform", read: "read-only-storage", read_write: "storage" };
const MAP_READ = 1, COPY_SRC = 4, COPY_DST = 8, UNIFORM = 64, STORAGE = 128;
const COMPUTE = 4; // of a binding's visibility
const PARAMS = -1;
const SIZES = { f16: 2, bf16: 2, u8: 1 };

export class Replayer {
  #device;
  #manifest;
  #buffers = [];
  #params;
  #layouts = new Map(); // by access modes
  #pipelines = new Map(); // promises, by number of the shader
  #programs = new Map(); // promises of steps, by name
  #staging = new Map(); // free buffers, by size

  /** Buffers begin as zeros: `write` their contents. */
  static async open(device, manifest) {
    if (manifest.format !== "wgpt-program" || manifest.version !== 1) {
      const found = `${manifest.format} ${manifest.version}`;
      throw new WgptError("damaged", `Programs of ${found} are unsupported: export the model again`);
    }
    const replayer = new Replayer();
    replayer.#device = device;
    replayer.#manifest = manifest;
    device.pushErrorScope("out-of-memory");
    device.pushErrorScope("validation");
    const usage = STORAGE | COPY_SRC | COPY_DST;
    replayer.#buffers = manifest.buffers.map(({ label, bytes }) => device.createBuffer({ label, size: bytes, usage }));
    const params = Uint8Array.from(atob(manifest.params), (c) => c.charCodeAt(0));
    replayer.#params = device.createBuffer({ size: Math.max(16, params.length), usage: UNIFORM | COPY_DST });
    if (params.length) device.queue.writeBuffer(replayer.#params, 0, params);
    const errors = [await device.popErrorScope(), await device.popErrorScope()];
    const error = errors.find(Boolean);
    if (error) {
      const total = manifest.buffers.reduce((sum, { bytes }) => sum + bytes, 0);
      const size = readableBytes(total);
      throw new WgptError("memory", `The GPU has no room for the ${size} of this model: ${error.message}`);
    }
    return replayer;
  }

  get device() {
    return this.#device;
  }

  /** Write an array, or some bytes of an ArrayBuffer, into a buffer. */
  writeBuffer(number, offset, data, ...window) {
    this.#device.queue.writeBuffer(this.#buffers[number], offset, data, ...window);
  }

  /** Write a named tensor, or an input of a Program, from its beginning. */
  write(name, words, program) {
    const { buffer, offset } = (program ? this.#manifest.programs[program].inputs : this.#manifest.tensors)[name];
    this.writeBuffer(buffer, offset, words);
  }

  /** Compile what a Program needs. */
  ready(name) {
    if (!this.#programs.has(name)) this.#programs.set(name, this.#prepare(name));
    return this.#programs.get(name);
  }

  /**
   * Replay a Program in one submit, after `ready`; resolves to its outputs, by name, as ArrayBuffers.
   * Submit the next one before awaiting this one, and the GPU never waits.
   */
  submit(name, steps, ...outputs) {
    const device = this.#device;
    const encoder = device.createCommandEncoder();
    let pass = null;
    let last = null;
    for (const step of steps) {
      if (step.copy) {
        pass?.end();
        pass = last = null;
        encoder.copyBufferToBuffer(...step.copy);
        continue;
      }
      pass ??= encoder.beginComputePass();
      if (step.pipeline !== last) pass.setPipeline((last = step.pipeline));
      pass.setBindGroup(0, step.group);
      pass.dispatchWorkgroups(step.x, step.y, step.z);
    }
    pass?.end();
    const reads = outputs.map((output) => {
      const { buffer, offset, shape, dtype } = this.#manifest.programs[name].outputs[output];
      const count = shape.reduce((product, n) => product * n, 1);
      const bytes = Math.max(4, Math.ceil((count * (SIZES[dtype] ?? 4)) / 4) * 4);
      const free = this.#staging.get(bytes);
      const staging = free?.pop() ?? device.createBuffer({ size: bytes, usage: MAP_READ | COPY_DST });
      encoder.copyBufferToBuffer(this.#buffers[buffer], offset, staging, 0, bytes);
      return { output, bytes, staging };
    });
    device.queue.submit([encoder.finish()]);
    return Promise.all(reads.map((read) => this.#read(read))).then(Object.fromEntries);
  }

  async #read({ output, bytes, staging }) {
    await staging.mapAsync(1);
    const data = staging.getMappedRange().slice(0);
    staging.unmap();
    if (!this.#staging.has(bytes)) this.#staging.set(bytes, []);
    this.#staging.get(bytes).push(staging);
    return [output, data];
  }

  async #prepare(name) {
    const { groups, shaders, programs } = this.#manifest;
    const { dispatches } = programs[name];
    const used = new Set(dispatches.filter(([group]) => group !== "copy").map(([group]) => groups[group][0]));
    await Promise.all([...used].map((shader) => this.#pipeline(shader)));
    const steps = [];
    for (const [group, ...rest] of dispatches) {
      if (group === "copy") {
        const [source, from, target, to, bytes] = rest;
        steps.push({ copy: [this.#buffers[source], from, this.#buffers[target], to, bytes] });
        continue;
      }
      const [shader, entries] = groups[group];
      const [layout] = this.#layout(shaders[shader].access);
      const [x, y, z] = rest;
      const bound = entries.map(([number, offset, size], binding) => {
        const buffer = number === PARAMS ? this.#params : this.#buffers[number];
        return { binding, resource: { buffer, offset, size } };
      });
      const pipeline = await this.#pipeline(shader);
      steps.push({ pipeline, group: this.#device.createBindGroup({ layout, entries: bound }), x, y, z });
    }
    return steps;
  }

  #pipeline(number) {
    if (!this.#pipelines.has(number)) this.#pipelines.set(number, this.#compile(this.#manifest.shaders[number]));
    return this.#pipelines.get(number);
  }

  async #compile({ kernel, variant, access, wgsl }) {
    const label = variant ? `${kernel}[${variant}]` : kernel;
    // Browsers want this directive, which the compiler that recorded it rejects.
    const code = wgsl.includes("subgroup") ? `enable subgroups; ${wgsl}` : wgsl;
    const [, layout] = this.#layout(access);
    const module = this.#device.createShaderModule({ label, code });
    try {
      return await this.#device.createComputePipelineAsync({ label, layout, compute: { module, entryPoint: "main" } });
    } catch (error) {
      throw new WgptError("unsupported", `The shader ${label} does not compile on this GPU: ${error.message}`);
    }
  }

  #layout(access) {
    const key = access.join();
    if (!this.#layouts.has(key)) {
      const entries = access.map((mode, binding) => {
        return { binding, visibility: COMPUTE, buffer: { type: MODES[mode] } };
      });
      const group = this.#device.createBindGroupLayout({ entries });
      this.#layouts.set(key, [group, this.#device.createPipelineLayout({ bindGroupLayouts: [group] })]);
    }
    return this.#layouts.get(key);
  }

  /** Free the GPU's memory. */
  destroy() {
    for (const buffer of [...this.#buffers, this.#params, ...[...this.#staging.values()].flat()]) buffer?.destroy();
    this.#programs.clear();
  }
}
