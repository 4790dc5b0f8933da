/** Milliseconds between pictures. */
export type Frames = number[]

const LONGEST = 8_000

/** Does something at the beginning of each of so many frames, and measures them; stops after some seconds. */
export async function atEachFrame(count: number, run: (n: number) => void): Promise<Frames> {
  const gaps: Frames = []
  const began = performance.now()
  let last = await nextFrame()
  for (let n = 0; n < count && performance.now() - began < LONGEST; n++) {
    run(n)
    const now = await nextFrame()
    gaps.push(now - last)
    last = now
  }
  return gaps
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
