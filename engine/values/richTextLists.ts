/**
 * Lists in rich text are flat: an item is a paragraph with its list type and depth. So typing into an item, splitting
 * it and creating it merge like any edit of a paragraph, and texts without lists keep their old form.
 */
export interface ListPlace {
  list?: 'bullet' | 'number'
  /** 1 and more: nesting depth; absent at the outermost level, and outside lists */
  level?: number
}

/** Four levels: a face and a chat have no room for more. */
export const MAX_LIST_LEVEL = 3

/** The list fields of an unknown object in canonical form: no level without a list, none below 1 or too deep. */
export function listPlaceOf(source: object): ListPlace {
  const { list, level } = source as { list?: unknown; level?: unknown }
  if (list !== 'bullet' && list !== 'number') return {}
  const depth = Number.isInteger(level) ? Math.min(level as number, MAX_LIST_LEVEL) : 0
  return depth > 0 ? { list, level: depth } : { list }
}

/** The marker before each paragraph: a bullet, its number (`2.`), or null. A paragraph outside lists ends them. */
export function listMarkers(paragraphs: readonly ListPlace[]): (string | null)[] {
  let counts: number[] = []
  return paragraphs.map(({ list, level = 0 }) => {
    counts = list === undefined ? [] : counts.slice(0, level + 1)
    if (list !== 'number') {
      counts[level] = 0
      return list === undefined ? null : '•'
    }
    counts[level] = (counts[level] ?? 0) + 1
    return `${counts[level]}.`
  })
}

export interface NestedList<Paragraph> {
  kind: 'bullet' | 'number'
  items: { content: Paragraph; lists: NestedList<Paragraph>[] }[]
}

/** Paragraphs as nested lists, as in HTML. An item deeper than the one above allows is nested as deep as possible. */
export function nestLists<Paragraph extends ListPlace>(
  paragraphs: readonly Paragraph[],
): (Paragraph | NestedList<Paragraph>)[] {
  const blocks: (Paragraph | NestedList<Paragraph>)[] = []
  /** the lists that the next item may continue, by depth */
  const open: NestedList<Paragraph>[] = []
  for (const paragraph of paragraphs) {
    const { list: kind, level = 0 } = paragraph
    if (kind === undefined) {
      open.length = 0
      blocks.push(paragraph)
      continue
    }
    const depth = Math.min(level, open.length)
    open.length = Math.min(open.length, depth + 1)
    let list = open[depth]
    if (list?.kind !== kind) {
      list = { kind, items: [] }
      open[depth] = list
      const outer = open[depth - 1]?.items.at(-1)
      if (outer) outer.lists.push(list)
      else blocks.push(list)
    }
    list.items.push({ content: paragraph, lists: [] })
  }
  return blocks
}
