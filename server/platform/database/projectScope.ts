import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type DeleteQueryNode,
  type InsertQueryNode,
  type JoinNode,
  type KyselyPlugin,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  PrimitiveValueListNode,
  type QueryResult,
  ReferenceNode,
  type SelectQueryNode,
  TableNode,
  type UnknownRow,
  type UpdateQueryNode,
  ValueNode,
  ValuesNode,
  WhereNode,
  type WithNode,
} from 'kysely'

/** Tables whose rows belong to people or to the installation. All others have a `project_id`, which a test holds against the database. */
export const tablesOfNoProject: ReadonlySet<string> = new Set([
  'email_changes',
  'event_consumers',
  'installation',
  'known_devices',
  'password_resets',
  'registrations',
  'schema_migrations',
  'sessions',
  'user_settings',
  'users',
])

/**
 * Keeps each query to one project: adds the condition to every table that a select, update or delete names (joins and subqueries
 * included), and refuses rows of another project in an insert. Tables inside raw SQL it can't see: row-level security stands behind it
 * (projectRole.ts).
 */
export function projectScope(projectId: string): KyselyPlugin {
  const transformer = new ProjectScope(projectId)
  return {
    transformQuery: ({ node, queryId }: PluginTransformQueryArgs) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> => result,
  }
}

interface Named {
  /** what the query calls it */
  alias: string
  column: string
}

type QueryId = Parameters<OperationNodeTransformer['transformNode']>[1]

class ProjectScope extends OperationNodeTransformer {
  readonly #projectId: string
  /** names that the query itself gives to parts of it (`with`): no tables */
  readonly #own: string[] = []

  constructor(projectId: string) {
    super()
    this.#projectId = projectId
  }

  protected override transformSelectQuery(node: SelectQueryNode, id?: QueryId): SelectQueryNode {
    return this.#knowing(node.with, () => {
      const query = super.transformSelectQuery(node, id)
      const where = this.#restrict(query.where, [...this.#named(node.from?.froms), ...this.#unconditional(node.joins)])
      return { ...query, ...(where && { where }) }
    })
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, id?: QueryId): UpdateQueryNode {
    return this.#knowing(node.with, () => {
      const query = super.transformUpdateQuery(node, id)
      const tables = [...(node.table ? [node.table] : []), ...(node.from?.froms ?? [])]
      const where = this.#restrict(query.where, [...this.#named(tables), ...this.#unconditional(node.joins)])
      return { ...query, ...(where && { where }) }
    })
  }

  protected override transformDeleteQuery(node: DeleteQueryNode, id?: QueryId): DeleteQueryNode {
    return this.#knowing(node.with, () => {
      const query = super.transformDeleteQuery(node, id)
      const tables = [...node.from.froms, ...(node.using?.tables ?? [])]
      const where = this.#restrict(query.where, [...this.#named(tables), ...this.#unconditional(node.joins)])
      return { ...query, ...(where && { where }) }
    })
  }

  /** The condition of a table that is joined stands with the join: in the query's own it would make an inner join of a left one. */
  protected override transformJoin(node: JoinNode, id?: QueryId): JoinNode {
    const join = super.transformJoin(node, id)
    const [table] = this.#named([node.table])
    if (!table || !node.on) return join
    if (!['InnerJoin', 'LeftJoin', 'LateralInnerJoin', 'LateralLeftJoin'].includes(node.joinType))
      throw new Error(`A ${node.joinType} can't be kept to a project`)
    return { ...join, on: OnNode.cloneWithOperation(join.on as OnNode, 'And', this.#condition(table)) }
  }

  protected override transformInsertQuery(node: InsertQueryNode, id?: QueryId): InsertQueryNode {
    return this.#knowing(node.with, () => {
      const query = super.transformInsertQuery(node, id)
      const [table] = node.into ? this.#named([node.into]) : []
      if (!table) return query
      const at = node.columns?.findIndex(({ column }) => column.name === table.column) ?? -1
      if (table.column === 'id') throw new Error('A project is not made within another')
      if (at < 0) throw new Error(`A row of ${table.alias} has to say whose it is`)
      // rows that a query selects are checked by the database alone
      for (const row of node.values && ValuesNode.is(node.values) ? node.values.values : []) {
        const value = PrimitiveValueListNode.is(row) ? row.values[at] : givenValue(row.values[at])
        if (String(value) !== this.#projectId) throw new Error(`A row of ${table.alias} is of another project`)
      }
      return query
    })
  }

  /** Knows the names that `with` gives while the query is gone through. */
  #knowing<Query>(given: WithNode | undefined, work: () => Query): Query {
    const names = given?.expressions.map(({ name }) => name.table.table.identifier.name) ?? []
    this.#own.push(...names)
    try {
      return work()
    } finally {
      this.#own.length -= names.length
    }
  }

  /** The tables among what a query reads from that belong to projects. */
  #named(nodes: readonly OperationNode[] = []): Named[] {
    return nodes.flatMap((node) => {
      const table = AliasNode.is(node) ? node.node : node
      if (!TableNode.is(table) || table.table.schema) return []
      const name = table.table.identifier.name
      if (tablesOfNoProject.has(name) || this.#own.includes(name)) return []
      const alias = AliasNode.is(node) && 'name' in node.alias ? String(node.alias.name) : name
      return [{ alias, column: name === 'projects' ? 'id' : 'project_id' }]
    })
  }

  /** Tables that are joined without a condition of the join's own. */
  #unconditional(joins: readonly JoinNode[] = []): Named[] {
    return this.#named(joins.filter(({ on }) => !on).map(({ table }) => table))
  }

  #restrict(where: WhereNode | undefined, tables: readonly Named[]): WhereNode | undefined {
    return tables.reduce<WhereNode | undefined>((node, table) => {
      const condition = this.#condition(table)
      return node ? WhereNode.create(AndNode.create(node.where, condition)) : WhereNode.create(condition)
    }, where)
  }

  #condition({ alias, column }: Named): OperationNode {
    return BinaryOperationNode.create(
      ReferenceNode.create(ColumnNode.create(column), TableNode.create(alias)),
      OperatorNode.create('='),
      ValueNode.create(this.#projectId),
    )
  }
}

const givenValue = (node: OperationNode | undefined): unknown => (node && ValueNode.is(node) ? node.value : undefined)
