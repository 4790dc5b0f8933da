/**
 * What work may cost, in units: about a character looked at or a value touched, a few nanoseconds. Counted, not timed, so that the same
 * turn costs the same wherever and whenever it is run. A budget that is made within another one is a share of it: both are charged.
 */
export class Budget {
  private left: number
  private outer: Budget | null = null

  constructor(readonly units: number) {
    this.left = units
  }

  get spent(): number {
    return this.units - this.left
  }

  get isSpent(): boolean {
    return !(this.left >= 0)
  }

  /** Runs something at this budget's cost. Throws BudgetSpent from within it, and what it throws itself. */
  during<Result>(run: () => Result): Result {
    const before = present
    this.outer = before
    present = this
    try {
      return run()
    } finally {
      present = before
    }
  }

  /** Throws BudgetSpent when that much is not left; from then on at every charge, so that nobody can go on by catching it. */
  charge(units: number): void {
    this.left -= units
    if (!(this.left >= 0)) throw new BudgetSpent(this)
    this.outer?.charge(units)
  }
}

/** Thrown where work would cost more than is left, before it is done. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'
  constructor(readonly budget: Budget) {
    super('The work that this may take is used up.')
  }
}

/** The budget of the work under way. The engine never waits within a piece of work, so there is one at a time. */
let present: Budget | null = null

/**
 * Pays for work of a size, before it is done where the size is known. Every operation whose time grows with what a flow or a visitor
 * gives calls this; where nobody has set a budget (an editor's form) it costs nothing.
 */
export function charge(units: number): void {
  present?.charge(units)
}

/** What one turn may cost: half a second to a second where it is spent on the slowest work. */
export const TURN_UNITS = 50_000_000
/** What one expression, one search with a JSONPath may cost of it. */
export const SHARE_UNITS = 10_000_000
