/** What a regression learns from. */
export interface Row {
  signs: readonly number[]
  /** 0 or 1 */
  right: number
  /** how much it counts */
  share: number
}

const STEPS = 15

/**
 * A logistic regression by Newton's method. @param ridge holds weights back @returns a weight for each sign
 */
export function logistic(rows: readonly Row[], ridge: number): number[] {
  const size = rows[0]?.signs.length ?? 0
  const weights = Array<number>(size).fill(0)
  for (let step = 0; step < STEPS; step++) {
    // each line: how the slope grows with each weight, then the slope
    const lines = weights.map((weight, at) => [
      ...weights.map((_, other) => (at === other ? ridge : 0)),
      ridge * weight,
    ])
    for (const { signs, right, share } of rows) {
      const chance = 1 / (1 + Math.exp(-dot(signs, weights)))
      const steepness = share * Math.max(chance * (1 - chance), 1e-4)
      for (const [at, line] of lines.entries()) {
        const sign = signs[at] as number
        for (let other = 0; other < size; other++)
          line[other] = (line[other] as number) + steepness * sign * (signs[other] as number)
        line[size] = (line[size] as number) + share * (chance - right) * sign
      }
    }
    for (const [at, change] of solve(lines).entries()) weights[at] = (weights[at] as number) - change
  }
  return weights
}

/**
 * The same with signs brought to one spread, so that none is held back more than another.
 * @returns the first weight belongs to no sign
 */
export function evenLogistic(rows: readonly Row[], ridge: number): number[] {
  const columns = rows[0]?.signs.map((_, sign) => rows.map(({ signs }) => signs[sign] as number)) ?? []
  const means = columns.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length)
  const spreads = columns.map((values, at) =>
    Math.sqrt(values.reduce((sum, value) => sum + (value - (means[at] as number)) ** 2, 0) / values.length + 1e-9),
  )
  const even = rows.map((row) => ({
    ...row,
    signs: [1, ...row.signs.map((value, at) => (value - (means[at] as number)) / (spreads[at] as number))],
  }))
  const [bias = 0, ...weights] = logistic(even, ridge)
  const own = weights.map((weight, at) => weight / (spreads[at] as number))
  return [own.reduce((sum, weight, at) => sum - weight * (means[at] as number), bias), ...own]
}

/** The sum of signs by their weights. */
export const dot = (signs: readonly number[], weights: readonly number[]): number =>
  signs.reduce((sum, sign, at) => sum + sign * (weights[at] as number), 0)

/**
 * Solves linear equations, each a line of factors with its sum at the end; no factor on the diagonal may be
 * nothing.
 */
function solve(lines: number[][]): number[] {
  for (const [at, line] of lines.entries()) {
    const own = line[at] as number
    for (const other of lines) {
      if (other === line) continue
      const times = (other[at] as number) / own
      for (let place = at; place < line.length; place++)
        other[place] = (other[place] as number) - times * (line[place] as number)
    }
  }
  return lines.map((line, at) => (line.at(-1) as number) / (line[at] as number))
}
