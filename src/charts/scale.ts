const STEPS = 4

/** The top of an axis: at least the value, and a number whose quarters are round. */
export function niceTop(value: number): number {
  const rough = Math.max(1, value) / STEPS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10]
    .map((factor) => factor * power)
    .find((each) => each >= rough && Number.isInteger(each))
  return (step ?? Math.ceil(rough)) * STEPS
}

/** The marks of an axis from 0 to its top. */
export const ticksOf = (top: number): number[] => Array.from({ length: STEPS + 1 }, (_, at) => (top / STEPS) * at)
