/**
 * Lists in rich text. They lie flat: an item is a paragraph that says of which list it is and how deep it stands. So typing into an item,
 * splitting it and making it one merge like any edit of a paragraph, and a text without lists is what it was before there were any.
 */
export interface ListPlace {
  list?: 'bullet' | 'number'
  /** 1 and more: how deep inside of the items above; absent at the outside, and in what is no list */
  level?: number
}

/** Four levels: on a face and in a chat there is no room for more. */
export const MAX_LIST_LEVEL = 3

/** The place that something of unknown origin tells, in its one form: no level without a list, none below 1 or too deep. */
export function listPlaceOf(source: object): ListPlace {
  const { list, level } = source as { list?: unknown; level?: unknown }
  if (list !== 'bullet' && list !== 'number') return {}
  const depth = Number.isInteger(level) ? Math.min(level as number, MAX_LIST_LEVEL) : 0
  return depth > 0 ? { list, level: depth } : { list }
}

/** What stands before each paragraph: a bullet, its number (`2.`), or null. What is no item ends the lists before it. */
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

/** Paragraphs as HTML has them: lists inside of items of lists. An item deeper than the one above allows stands as deep as it can. */
export function nestLists<Paragraph extends ListPlace>(
  paragraphs: readonly Paragraph[],
): (Paragraph | NestedList<Paragraph>)[] {
  const blocks: (Paragraph | NestedList<Paragraph>)[] = []
  /** the lists that the next item may go on with, by depth */
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
