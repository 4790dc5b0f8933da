import {
  CompiledQuery,
  createQueryId,
  type Insertable,
  type OperationNodeSource,
  PostgresQueryCompiler,
  type RootOperationNode,
  type Updateable,
} from 'kysely'
import type { Db } from './database'
import { THEN_COMMIT } from './pipeline'
import type { Database } from './tables'

const compiler = new PostgresQueryCompiler()

/** SQL of the code itself, in place of a value. Never made of anything that was received. */
export class SqlText {
  constructor(readonly text: string) {}
}

type Values<Row> = { [Column in keyof Row]: Row[Column] | SqlText }

/**
 * A statement with others before it (`with …`), for what each turn writes: as text, since Kysely's builder takes ten
 * times as long for the same (50 µs, as much as all else that a turn does to store itself). Conditions and columns are
 * of the code; values always become parameters.
 */
export class Statement {
  readonly #parameters: unknown[] = []
  readonly #parts: string[] = []

  /** A value's place in the text. */
  value(value: unknown): string {
    return value instanceof SqlText ? value.text : `$${this.#parameters.push(value)}`
  }

  /** Adds a statement of this one's text before it. */
  with(name: string, text: string): void {
    this.#parts.push(`${name} as (${text})`)
  }

  /** Adds one made by Kysely before it. Its parameters get the numbers that follow. */
  withQuery(name: string, query: OperationNodeSource): void {
    const { sql, parameters } = compiler.compileQuery(query.toOperationNode() as RootOperationNode, createQueryId())
    const before = this.#parameters.length
    this.#parameters.push(...parameters)
    this.with(
      name,
      sql.replace(/\$(\d+)/g, (_, number) => `$${before + Number(number)}`),
    )
  }

  /** `insert into …` of one or more rows, which all have the same columns. */
  insert<Table extends keyof Database & string>(
    table: Table,
    rows: readonly [Values<Insertable<Database[Table]>>, ...Values<Insertable<Database[Table]>>[]],
  ): string {
    const columns = Object.keys(rows[0])
    const tuples = rows.map((row) => {
      const values = row as Record<string, unknown>
      return `(${columns.map((column) => this.value(values[column])).join(', ')})`
    })
    return `insert into "${table}" (${columns.map(quoted).join(', ')}) values ${tuples.join(', ')}`
  }

  /** `update … set …`, to be followed by the condition. A column that is undefined stays. */
  update<Table extends keyof Database & string>(table: Table, values: Values<Updateable<Database[Table]>>): string {
    const set = Object.entries(values).filter(([, value]) => value !== undefined)
    return `update "${table}" set ${set.map(([column, value]) => `${quoted(column)} = ${this.value(value)}`).join(', ')}`
  }

  /**
   * Runs it with its last part.
   * @param commits whether it ends the transaction: no statement may follow
   */
  async execute<Row>(work: Db, last: string, { commits = false } = {}): Promise<Row[]> {
    const text = `${this.#parts.length > 0 ? `with ${this.#parts.join(', ')} ` : ''}${last}${commits ? ` ${THEN_COMMIT}` : ''}`
    return (await work.executeQuery<Row>(CompiledQuery.raw(text, this.#parameters))).rows
  }
}

const quoted = (column: string) => `"${column}"`
