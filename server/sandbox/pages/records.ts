/** A column of a table that a person sees and edits. */
export interface Column {
  name: string
  label: string
  /** texts of several lines */
  isLong?: boolean
  /** the only values; an empty one may be among them */
  options?: readonly string[]
  /** shown, and not edited */
  isFixed?: boolean
}

export interface ShownRecord {
  id: string
  values: Readonly<Record<string, string>>
}

/** What a person may do to a record beside editing it, such as answering a ticket. */
export interface RecordAction {
  name: string
  label: string
  run(id: string): void
}

/** Records of one kind, for a page that shows and edits them. Whatever throws a Refusal has changed nothing. */
export interface RecordKind {
  /** in the page's address */
  key: string
  title: string
  columns: readonly Column[]
  rows(): ShownRecord[]
  /** what the page says without any */
  empty: string
  add?(values: Record<string, string>): void
  change?(id: string, values: Record<string, string>): void
  remove?(id: string): void
  actions?: readonly RecordAction[]
}
