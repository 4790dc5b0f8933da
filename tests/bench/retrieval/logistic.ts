/** What a regression learns from. */
export interface Row {
  signs: readonly number[]
  /** 0 or 1 */
  right: number
  /** how much it counts */
  share: number
}

/** The most steps; it ends earlier where no weight changes by more than this. */
const STEPS = 15
const SETTLED = 1e-4

/**
 * A logistic regression by Newton's method. @param ridge holds weights back @returns a weight for each sign
 */
export function logistic(rows: readonly Row[], ridge: number): number[] {
  const size = rows[0]?.signs.length ?? 0
  const table = new Float64Array(rows.length * size)
  for (const [at, { signs }] of rows.entries()) table.set(signs, at * size)
  const weights = new Float64Array(size)
  for (let step = 0; step < STEPS; step++) {
    const changes = newtonStep(rows, table, weights, ridge)
    for (const [at, change] of changes.entries()) weights[at] = (weights[at] as number) - change
    if (changes.every((change) => Math.abs(change) < SETTLED)) break
  }
  return [...weights]
}

/** How much to take off each weight. @param table the rows' signs, one row after the other */
function newtonStep(rows: readonly Row[], table: Float64Array, weights: Float64Array, ridge: number): number[] {
  const size = weights.length
  // how the slope grows with each two weights, of which one half is enough, and the slope
  const growth = new Float64Array(size * size)
  const slope = new Float64Array(size)
  for (const [row, { right, share }] of rows.entries()) {
    const from = row * size
    let sum = 0
    for (let at = 0; at < size; at++) sum += (table[from + at] as number) * (weights[at] as number)
    const chance = 1 / (1 + Math.exp(-sum))
    const steepness = share * Math.max(chance * (1 - chance), 1e-4)
    const error = share * (chance - right)
    for (let at = 0; at < size; at++) {
      const sign = table[from + at] as number
      const steep = steepness * sign
      slope[at] = (slope[at] as number) + error * sign
      for (let other = at; other < size; other++)
        growth[at * size + other] = (growth[at * size + other] as number) + steep * (table[from + other] as number)
    }
  }
  return solve(
    Array.from(weights, (weight, at) => [
      ...Array.from(
        weights,
        (_, other) => (growth[Math.min(at, other) * size + Math.max(at, other)] as number) + (at === other ? ridge : 0),
      ),
      (slope[at] as number) + ridge * weight,
    ]),
  )
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
