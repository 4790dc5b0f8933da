import type { Person } from '../../engine/document/person'

/**
 * A client's presence, sent over awareness: each entry as a whole, at most 4 KB (the server drops more). The server
 * fills in the person.
 */
export interface SharedState {
  /** the pointer, in flow coordinates */
  cursor: Point | null
  /** selected groups and blocks: the first ids, and the total */
  selection: { ids: readonly string[]; count: number } | null
  /** the focused field: `<block or group>/<path>` */
  field: string | null
  /** the centre of the view, the zoom, and the canvas's size on the screen */
  view: View | null
  /** positions of groups during a drag; the document changes at the drop */
  drag: readonly Place[] | null
  /** the client whose view is followed */
  following: number | null
  /** the caret's text and range, interpreted by src/text/RemoteCarets.tsx */
  caret: { place: string; range: unknown } | null
}

interface Point {
  x: number
  y: number
}
export interface View extends Point {
  zoom: number
  width: number
  height: number
}
export interface Place extends Point {
  id: string
}

/** Another client's validated presence. Unchanged parts keep their identity. */
export interface Peer extends SharedState {
  clientId: number
  person: Person
}

export const nothingShared: SharedState = {
  cursor: null,
  selection: null,
  field: null,
  view: null,
  drag: null,
  following: null,
  caret: null,
}

/** Lists are cut at this many characters: ids are short, but foreign flows may have long ones. */
const LIST_CHARACTERS = 1200
const MOST_LISTED = 40
const LONGEST_ID = 200
/** the canvas of a flow of 10,000 groups is a hundredth of that */
const FARTHEST = 1e8

/** The first items of a list, so that an entry stays small. */
export function listed<T>(items: Iterable<T>): T[] {
  const taken: T[] = []
  let room = LIST_CHARACTERS
  for (const item of items) {
    room -= JSON.stringify(item).length + 1
    if (room < 0 || taken.length === MOST_LISTED) break
    taken.push(item)
  }
  return taken
}

/**
 * Validates a client's presence. Clients may send anything: invalid parts are dropped, and viewers can't drag or edit.
 *
 * @param before the same client's last presence
 * @returns null for a client without a person
 */
export function readPeer(clientId: number, state: Readonly<Record<string, unknown>>, before?: Peer): Peer | null {
  const person = readPerson(state.person)
  if (!person) return null
  const edits = !person.viewer
  const found: Peer = {
    clientId,
    person,
    cursor: readPoint(state.cursor),
    selection: readSelection(state.selection),
    field: edits ? readText(state.field) : null,
    view: readView(state.view),
    drag: edits ? readDrag(state.drag) : null,
    following: typeof state.following === 'number' ? state.following : null,
    caret: edits ? readCaret(state.caret) : null,
  }
  return before ? keepIdentities(found, before) : found
}

/** Keeps the identity of unchanged parts, so that changes can be detected. */
function keepIdentities(found: Peer, before: Peer): Peer {
  const kept = { ...found }
  for (const key of Object.keys(found) as (keyof Peer)[])
    if (found[key] === before[key] || JSON.stringify(found[key]) === JSON.stringify(before[key]))
      Object.assign(kept, { [key]: before[key] })
  return kept
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const readText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_ID ? value : null
const isPlace = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) < FARTHEST

function readPerson(value: unknown): Person | null {
  if (!isRecord(value) || typeof value.viewer !== 'boolean') return null
  const { id, name, color, viewer } = value
  const named = typeof id === 'string' && typeof name === 'string' && name.trim() !== ''
  // it is used in styles
  return named && typeof color === 'string' && /^#[\da-f]{6}$/i.test(color) ? { id, name, color, viewer } : null
}

const readPoint = (value: unknown): Point | null =>
  isRecord(value) && isPlace(value.x) && isPlace(value.y) ? { x: value.x, y: value.y } : null

function readSelection(value: unknown): SharedState['selection'] {
  if (!isRecord(value) || !Array.isArray(value.ids)) return null
  const ids = value.ids.slice(0, MOST_LISTED).flatMap((id) => readText(id) ?? [])
  const count = typeof value.count === 'number' && value.count > ids.length ? Math.floor(value.count) : ids.length
  return ids.length > 0 ? { ids, count } : null
}

function readView(value: unknown): View | null {
  const middle = readPoint(value)
  if (!middle || !isRecord(value)) return null
  const { zoom, width, height } = value
  const positive = (number: unknown): number is number => isPlace(number) && number > 0
  return positive(zoom) && positive(width) && positive(height) ? { ...middle, zoom, width, height } : null
}

function readDrag(value: unknown): readonly Place[] | null {
  if (!Array.isArray(value)) return null
  const places = value.slice(0, MOST_LISTED).flatMap((place): Place[] => {
    const point = readPoint(place)
    const id = isRecord(place) && readText(place.id)
    return point && id ? [{ id, ...point }] : []
  })
  return places.length > 0 ? places : null
}

function readCaret(value: unknown): SharedState['caret'] {
  const place = isRecord(value) ? readText(value.place) : null
  return isRecord(value) && place ? { place, range: value.range } : null
}
