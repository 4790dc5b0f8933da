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

/**
 * Tables that belong to accounts or the installation. All others have a `project_id`; a test compares this with the
 * database.
 */
export const tablesOfNoProject: ReadonlySet<string> = new Set([
  'acme_accounts',
  'begun_logins',
  'push_keys',
  'push_subscriptions',
  'email_changes',
  'event_consumers',
  'installation',
  'known_devices',
  'operator_actions',
  'passkey_challenges',
  'passkeys',
  'password_resets',
  'recovery_codes',
  'registrations',
  'schema_migrations',
  'sessions',
  'two_factors',
  'user_pictures',
  'user_settings',
  'users',
])

/**
 * Restricts each query to one project: adds the condition to every table in a select, update or delete (joins and
 * subqueries included), and refuses rows of another project in an insert. Tables in raw SQL are invisible to it:
 * row-level security covers those (projectRole.ts).
 */
export function projectScope(projectId: string): KyselyPlugin {
  const transformer = new ProjectScope(projectId)
  return {
    transformQuery: ({ node, queryId }: PluginTransformQueryArgs) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> => result,
  }
}

interface Named {
  /** its alias in the query */
  alias: string
  column: string
}

type QueryId = Parameters<OperationNodeTransformer['transformNode']>[1]

class ProjectScope extends OperationNodeTransformer {
  readonly #projectId: string
  /** names defined by the query's own `with`: not tables */
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

  /**
   * The condition of a joined table belongs to the join: in the where clause it would turn a left join into an inner
   * one.
   */
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
      // rows of an insert from select are checked only by the database
      for (const row of node.values && ValuesNode.is(node.values) ? node.values.values : []) {
        const value = PrimitiveValueListNode.is(row) ? row.values[at] : givenValue(row.values[at])
        if (String(value) !== this.#projectId) throw new Error(`A row of ${table.alias} is of another project`)
      }
      return query
    })
  }

  /** Makes the names of a `with` known while its query is visited. */
  #knowing<Query>(given: WithNode | undefined, work: () => Query): Query {
    const names = given?.expressions.map(({ name }) => name.table.table.identifier.name) ?? []
    this.#own.push(...names)
    try {
      return work()
    } finally {
      this.#own.length -= names.length
    }
  }

  /** The tables among a query's sources that belong to projects. */
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

  /** Tables joined without an on clause. */
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
