/**
 * A limit on work, in units of a few nanoseconds each: about one character read or one value touched. Work is counted,
 * not timed, so that the same turn costs the same on every machine. A budget created inside another one is a share of
 * it: both are charged.
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

  /**
   * Runs a function at this budget's expense. Throws BudgetSpent when the budget runs out, and whatever the function
   * throws.
   */
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

  /** Throws BudgetSpent if fewer units are left, and at every later charge, so that catching the error doesn't help. */
  charge(units: number): void {
    this.left -= units
    if (!(this.left >= 0)) throw new BudgetSpent(this)
    this.outer?.charge(units)
  }
}

/** Thrown before work that costs more than what is left. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'
  constructor(readonly budget: Budget) {
    super('The work that this may take is used up.')
  }
}

/** The budget of the current work. The engine never awaits within a piece of work, so there is only one at a time. */
let present: Budget | null = null

/**
 * Charges the current budget for work of a size; call it before the work when the size is known. Every operation whose
 * time grows with input of a flow or a visitor calls this. Without a budget (an editor's form) it does nothing.
 */
export function charge(units: number): void {
  present?.charge(units)
}

/** The budget of one turn: half a second to a second of the slowest kind of work. */
export const TURN_UNITS = 50_000_000
/** The share of it for one expression or one JSONPath query. */
export const SHARE_UNITS = 10_000_000
