import * as Y from 'yjs'
import type { Roots } from './shape'

type DeleteSet = Y.Transaction['deleteSet']

/** What a step changed in texts: the ids that it inserted and deleted. */
export interface TextChange {
  insertions: DeleteSet
  deletions: DeleteSet
}

/** What the transaction changed in texts; null if nothing. Deleted content is kept, so that it can be restored. */
export function readTextChange(transaction: Y.Transaction, roots: Roots): TextChange | null {
  if (!transaction.changedParentTypes.has(roots.texts as never)) return null
  const insertions = Y.createDeleteSet()
  for (const [client, end] of transaction.afterState) {
    const clock = transaction.beforeState.get(client) ?? 0
    if (end > clock) insertions.clients.set(client, [{ clock, len: end - clock }])
  }
  Y.iterateDeletedStructs(transaction, transaction.deleteSet, (struct) => {
    if (struct instanceof Y.Item && textOf(struct, roots)) keepItem(struct)
  })
  return { insertions, deletions: transaction.deleteSet }
}

export const mergeTextChanges = (first: TextChange | null, second: TextChange | null): TextChange | null =>
  first && second
    ? {
        insertions: Y.mergeDeleteSets([first.insertions, second.insertions]),
        deletions: Y.mergeDeleteSets([first.deletions, second.deletions]),
      }
    : (first ?? second)

/**
 * Reverts a text change: removes what it inserted and restores what it deleted in its place. A text as a whole, with
 * its initial content, is never removed: only its block is deleted and restored. Yjs' own undo restores letters between
 * their old neighbours, which may have others between them by now, and replicas resolve that differently (README.md,
 * "Undo is our own"); here they are inserted beside one neighbour, as typing does.
 */
export function takeTextBack(transaction: Y.Transaction, roots: Roots, { insertions, deletions }: TextChange): void {
  const inserted: Y.Item[] = []
  Y.iterateDeletedStructs(transaction, insertions, (struct) => {
    const item = struct instanceof Y.Item ? present(transaction, struct) : null
    const text = item && !item.deleted ? textOf(item, roots) : null
    if (item && text && item !== text && !Y.isDeleted(insertions, text.id)) inserted.push(item)
  })
  const deleted = new Set<Y.Item>()
  Y.iterateDeletedStructs(transaction, deletions, (struct) => {
    if (struct instanceof Y.Item && textOf(struct, roots) && !Y.isDeleted(insertions, struct.id)) deleted.add(struct)
  })
  const goes = new Set(inserted)
  for (const item of deleted) putBack(transaction, item, deleted, goes)
  // children before their parents
  for (const item of inserted.reverse()) item.delete(transaction)
  // Yjs caches positions in a text, which have shifted
  for (const [type, keys] of transaction.changed) if (keys.has(null as never)) type._searchMarker?.splice(0)
}

/** @returns the item that represents it now; null if its parent is gone for good */
function putBack(
  transaction: Y.Transaction,
  item: Y.Item,
  deleted: ReadonlySet<Y.Item>,
  goes: ReadonlySet<Y.Item>,
): Y.Item | null {
  if (item.redone) return Y.getItemCleanStart(transaction, item.redone)
  let within = (item.parent as Y.AbstractType<unknown>)._item
  if (within?.deleted) {
    if (!within.redone && !(deleted.has(within) && putBack(transaction, within, deleted, goes))) return null
    within = present(transaction, within)
  }
  if (!within || !(within.content instanceof Y.ContentType)) return null
  const parent = within.content.type
  let left: Y.Item | null
  if (item.parentSub === null) left = nearest(transaction, item.left, within)
  else {
    left = parent._map.get(item.parentSub) ?? null
    // somebody else has set it since
    if (left && !left.deleted && !goes.has(left)) return null
  }
  const right = item.parentSub !== null ? null : left ? left.right : parent._start
  const { doc } = transaction
  const id = Y.createID(doc.clientID, Y.getState(doc.store, doc.clientID))
  const again = new Y.Item(
    id,
    left,
    left?.lastId ?? null,
    right,
    right?.id ?? null,
    parent,
    item.parentSub,
    item.content.copy(),
  )
  item.redone = id
  keepItem(again)
  again.integrate(transaction, 0)
  return again
}

/** The nearest item to the left in the same parent, or the item restored for it. */
function nearest(transaction: Y.Transaction, from: Y.Item | null, within: Y.Item): Y.Item | null {
  for (let item = from; item; item = item.left) {
    let at: Y.Item | null = item
    while (at && (at.parent as Y.AbstractType<unknown>)._item !== within) {
      at = at.redone && Y.getItemCleanStart(transaction, at.redone)
    }
    if (at) return at
  }
  return null
}

/** Follows an item to its latest restored copy. */
function present(transaction: Y.Transaction, item: Y.Item): Y.Item {
  let at = item
  while (at.redone) at = Y.getItemCleanStart(transaction, at.redone)
  return at
}

/** The root entry of the text that contains the item; null if it is not part of a text. */
export function textOf(item: Y.Item, roots: Roots): Y.Item | null {
  let at: Y.Item | null = item
  while (at && at.parent !== (roots.texts as unknown)) at = (at.parent as Y.AbstractType<unknown> | null)?._item ?? null
  return at
}

/** Prevents Yjs from garbage-collecting the item's content. */
export function keepItem(item: Y.Item): void {
  for (let at: Y.Item | null = item; at && !at.keep; at = (at.parent as Y.AbstractType<unknown>)._item) at.keep = true
}
