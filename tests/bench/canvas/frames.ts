/** Milliseconds between pictures, and milliseconds of the main thread that each took. */
export interface Frames {
  gaps: number[]
  work: number[]
}

const LONGEST = 8_000

/** Does something at the beginning of each of so many frames, and measures them; stops after some seconds. */
export async function atEachFrame(count: number, run: (n: number) => void): Promise<Frames> {
  const frames: Frames = { gaps: [], work: [] }
  const began = performance.now()
  let last = await nextFrame()
  for (let n = 0; n < count && performance.now() - began < LONGEST; n++) {
    const from = performance.now()
    run(n)
    await afterPaint()
    frames.work.push(performance.now() - from)
    const now = await nextFrame()
    frames.gaps.push(now - last)
    last = now
  }
  return frames
}

export async function nextPaint(): Promise<void> {
  await nextFrame()
  await afterPaint()
}

const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))

/** A message comes when styles, layout and painting of the frame are done. */
const afterPaint = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve()
    port2.postMessage(null)
  })
