import * as Y from 'yjs'
import type { Json } from '../values/json'
import type { Roots } from './shape'
import { keepItem, type TextChange, textOf } from './textUndo'

type Id = readonly [client: number, clock: number]
type Ranges = readonly (readonly [client: number, spans: readonly (readonly [clock: number, length: number])[]])[]

/** What a step changed in texts, as JSON. */
export interface KeptTextChange {
  insertions: Ranges
  deletions: Ranges
}

/** A piece of a text whose content the reloaded document no longer has, or the item restored for it. */
export interface KeptItem {
  id: Id
  length: number
  /** the item that holds its parent */
  parent: Id
  /** the neighbour that it stood beside last and was first written beside */
  left: Id | null
  origin: Id | null
  rightOrigin: Id | null
  /** of an attribute */
  key: string | null
  /** absent: the document has it, or the content is lost and only its place matters */
  content?: KeptContent
  redone: Id | null
}
type KeptContent =
  | { string: string }
  | { format: [key: string, value: Json] }
  | { embed: Json }
  | { any: Json[] }
  | { type: 'text' }

export const keepTextChange = ({ insertions, deletions }: TextChange): KeptTextChange => ({
  insertions: keepRanges(insertions),
  deletions: keepRanges(deletions),
})

export const readKeptTextChange = ({ insertions, deletions }: KeptTextChange): TextChange => ({
  insertions: readRanges(insertions),
  deletions: readRanges(deletions),
})

const keepRanges = (set: Y.Transaction['deleteSet']): Ranges =>
  Array.from(set.clients, ([client, spans]) => [client, spans.map(({ clock, len }) => [clock, len])])

function readRanges(ranges: Ranges): Y.Transaction['deleteSet'] {
  const set = Y.createDeleteSet()
  for (const [client, spans] of ranges)
    set.clients.set(
      client,
      spans.map(([clock, len]) => ({ clock, len })),
    )
  return set
}

/**
 * Exports what undo of text changes needs after a reload: a server drops the content of deleted pieces, and no update
 * says which items undo restored for which.
 */
export function keepItems(doc: Y.Doc, roots: Roots, changes: readonly TextChange[]): KeptItem[] {
  // within the transaction: items split for this are merged again at its end
  return doc.transact((transaction) => {
    const wanted = itemsOf(transaction, roots, changes)
    return [...wanted].flatMap((item) => keepItemOf(item, wanted))
  })
}

/** The items that changes refer to, their parents, and the items restored for them. */
function itemsOf(transaction: Y.Transaction, roots: Roots, changes: readonly TextChange[]): Set<Y.Item> {
  const wanted = new Set<Y.Item>()
  const want = (struct: Y.Item | Y.GC | null) => {
    if (struct instanceof Y.Item && textOf(struct, roots)) wanted.add(struct)
  }
  const sets = changes.flatMap(({ insertions, deletions }) => [insertions, deletions])
  // a lookup splits items: repeat until no new halves are found
  for (let found = -1; found < wanted.size; ) {
    found = wanted.size
    for (const set of sets) Y.iterateDeletedStructs(transaction, set, want)
    for (const item of wanted) {
      want((item.parent as Y.AbstractType<unknown>)._item)
      // the next restored item is placed beside the previous one
      let { left } = item
      while (left && !left.redone && !wanted.has(left)) left = left.left
      want(left)
      for (let at = item; at.redone; ) {
        at = Y.getItemCleanStart(transaction, at.redone)
        want(at)
      }
    }
  }
  return wanted
}

function keepItemOf(item: Y.Item, wanted: ReadonlySet<Y.Item>): KeptItem[] {
  const within = (item.parent as Y.AbstractType<unknown>)._item
  if (!within || (!item.deleted && !item.redone)) return []
  const content = item.deleted ? keepContent(item.content) : undefined
  let { left } = item
  while (left?.deleted && !wanted.has(left)) left = left.left
  return [
    {
      id: idOf(item.id),
      length: item.length,
      parent: idOf(within.id),
      left: left && idOf(left.lastId),
      origin: item.origin && idOf(item.origin),
      rightOrigin: item.rightOrigin && idOf(item.rightOrigin),
      key: item.parentSub,
      ...(content && { content }),
      redone: item.redone && idOf(item.redone),
    },
  ]
}

const readId = (id: Id | null): Y.ID | null => id && Y.createID(...id)

const idOf = ({ client, clock }: Y.ID): Id => [client, clock]

function keepContent(content: Y.Item['content']): KeptContent | undefined {
  if (content instanceof Y.ContentString) return { string: content.str }
  if (content instanceof Y.ContentFormat) return { format: [content.key, content.value as unknown as Json] }
  if (content instanceof Y.ContentEmbed) return { embed: content.embed as Json }
  if (content instanceof Y.ContentAny) return { any: content.arr as Json[] }
  if (content instanceof Y.ContentType && content.type instanceof Y.XmlText) return { type: 'text' }
  return undefined
}

function readContent(kept: KeptContent): Y.Item['content'] {
  if ('string' in kept) return new Y.ContentString(kept.string)
  if ('format' in kept) return new Y.ContentFormat(kept.format[0], kept.format[1] as never)
  if ('embed' in kept) return new Y.ContentEmbed(kept.embed as never)
  if ('any' in kept) return new Y.ContentAny(kept.any)
  return new Y.ContentType(new Y.XmlText())
}

/** Restores the content of deleted pieces, which stay deleted, and links them to the items restored for them. */
export function restoreItems(transaction: Y.Transaction, kept: readonly KeptItem[]): void {
  const order = parentsFirst(kept)
  const placed: [item: Y.Item, left: Id][] = []
  for (const item of order) restoreContent(transaction, item, placed)
  // after all of them exist: they are neighbours of each other
  for (const [item, left] of placed) {
    const neighbour = structAt(transaction, left)
    if (!(neighbour instanceof Y.Item)) continue
    item.left = neighbour
    // so that a split of the neighbour updates this link
    if (neighbour.parent === item.parent) neighbour.right = item
  }
  for (const { id, length, redone } of order) {
    if (!redone) continue
    for (const { struct, offset } of piecesOf(transaction, id, length))
      if (struct instanceof Y.Item) struct.redone = Y.createID(redone[0], redone[1] + offset)
  }
}

function parentsFirst(kept: readonly KeptItem[]): KeptItem[] {
  const byId = new Map(kept.map((item) => [item.id.join(), item]))
  const ordered = new Set<KeptItem>()
  const visit = (first: KeptItem) => {
    const path: KeptItem[] = []
    for (let item: KeptItem | undefined = first; item && !path.includes(item); item = byId.get(item.parent.join()))
      path.push(item)
    for (const item of path.reverse()) ordered.add(item)
  }
  kept.forEach(visit)
  return [...ordered]
}

function restoreContent(transaction: Y.Transaction, item: KeptItem, placed: [item: Y.Item, left: Id][]): void {
  const [client, clock] = item.id
  for (const { struct, offset, length } of piecesOf(transaction, item.id, item.length)) {
    const whole = item.content ? readContent(item.content) : new Y.ContentDeleted(item.length)
    const rest = offset > 0 ? whole.splice(offset) : whole
    if (length < rest.getLength()) rest.splice(length)
    if (struct instanceof Y.GC) {
      const before: Id | null = offset > 0 ? [client, clock + offset - 1] : null
      const again = replaceCollected(transaction, struct, { ...item, origin: before ?? item.origin }, rest)
      const left = before ?? item.left
      if (again && left) placed.push([again, left])
    } else if (struct.deleted && struct.content instanceof Y.ContentDeleted) {
      struct.content = rest
      adopt(transaction, struct)
    }
  }
}

/** A type needs a reference to its item. */
function adopt(transaction: Y.Transaction, item: Y.Item): void {
  if (item.content instanceof Y.ContentType) item.content.type._integrate(transaction.doc, item)
  keepItem(item)
}

/** Children of deleted parents are stored as a length only: gives such a range its place back, hidden. */
function replaceCollected(
  transaction: Y.Transaction,
  gc: Y.GC,
  { parent, origin, rightOrigin, key }: KeptItem,
  content: Y.Item['content'],
): Y.Item | null {
  const { store } = transaction.doc
  const structs = store.clients.get(gc.id.client)
  const within = structAt(transaction, parent)
  if (!structs || !(within instanceof Y.Item) || !(within.content instanceof Y.ContentType)) return null
  const item = new Y.Item(gc.id, null, readId(origin), null, readId(rightOrigin), within.content.type, key, content)
  item.markDeleted()
  structs[Y.findIndexSS(structs, gc.id.clock)] = item
  adopt(transaction, item)
  return item
}

function structAt(transaction: Y.Transaction, [client, clock]: Id): Y.Item | Y.GC | null {
  const structs = transaction.doc.store.clients.get(client)
  if (!structs || clock >= Y.getState(transaction.doc.store, client)) return null
  const struct = structs[Y.findIndexSS(structs, clock)]
  return struct instanceof Y.Item || struct instanceof Y.GC ? struct : null
}

interface Piece {
  struct: Y.Item | Y.GC
  /** from the start of the range */
  offset: number
  length: number
}

/** The structs of a range, split at its ends. */
function piecesOf(transaction: Y.Transaction, [client, clock]: Id, length: number): Piece[] {
  const { store } = transaction.doc
  const pieces: Piece[] = []
  for (let at = clock; at < clock + length; ) {
    if (at >= Y.getState(store, client)) break
    const struct = cut(transaction, client, at, clock + length)
    if (!struct) break
    pieces.push({ struct, offset: at - clock, length: struct.length })
    at += struct.length
  }
  return pieces
}

/** The struct that starts at `from` and ends at `end` at the latest. */
function cut(transaction: Y.Transaction, client: number, from: number, end: number): Y.Item | Y.GC | null {
  const structs = transaction.doc.store.clients.get(client)
  if (!structs) return null
  let index = Y.findIndexSS(structs, from)
  const struct = structs[index]
  if (struct instanceof Y.Item) {
    Y.getItemCleanStart(transaction, Y.createID(client, from))
    index = Y.findIndexSS(structs, from)
    const clean = structs[index] as Y.Item
    if (clean.id.clock + clean.length > end) Y.getItemCleanStart(transaction, Y.createID(client, end))
    return structs[index] as Y.Item
  }
  if (!(struct instanceof Y.GC)) return null
  const { clock } = struct.id
  const last = clock + struct.length
  const parts = [
    [clock, from],
    [from, Math.min(end, last)],
    [Math.min(end, last), last],
  ].flatMap(([start = 0, stop = 0]) => (stop > start ? new Y.GC(Y.createID(client, start), stop - start) : []))
  structs.splice(index, 1, ...parts)
  return parts.find(({ id }) => id.clock === from) ?? null
}
