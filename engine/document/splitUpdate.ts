import { writeVarUint } from 'lib0/encoding'
import * as Y from 'yjs'

type Struct = ReturnType<typeof Y.decodeUpdate>['structs'][number]
/** The structs of one client by rising clock, and how many of them are taken. */
interface Line {
  structs: Struct[]
  taken: number
}

/**
 * Splits an update into small ones, each applicable after those before it: a large document is applied piece by piece
 * with other work in between. The delete set comes last.
 * @param most structs per piece
 */
export function splitUpdate(update: Uint8Array, most = 2_000): Uint8Array[] {
  const { structs, ds } = Y.decodeUpdate(update)
  if (structs.length <= most) return [update]
  const ordered = inOrder(structs)
  const pieces: Uint8Array[] = []
  for (let start = 0; start < ordered.length; start += most) pieces.push(encode(ordered.slice(start, start + most), []))
  const deleted = [...ds.clients].flatMap(([client, items]) => items.map(({ clock, len }) => ({ client, clock, len })))
  for (let start = 0; start < deleted.length; start += most) pieces.push(encode([], deleted.slice(start, start + most)))
  return pieces
}

/**
 * Sorts structs after their dependencies. Where that is impossible (only in malicious updates), Yjs keeps early ones
 * pending.
 */
function inOrder(structs: readonly Struct[]): Struct[] {
  const lines = new Map<number, Line>()
  for (const [client, own] of groupByClient(structs, ({ id }) => id.client))
    lines.set(client, { structs: own, taken: 0 })
  const ordered: Struct[] = []
  const isMissing = ({ client, clock }: Y.ID): boolean => {
    const line = lines.get(client)
    const next = line?.structs[line.taken]
    return next !== undefined && clock >= next.id.clock
  }
  for (const first of lines.values()) {
    const waiting = [first]
    while (waiting.length > 0) {
      const line = waiting.at(-1) as Line
      const struct = line.structs[line.taken]
      const before = struct && standsOn(struct).find((id) => id.client !== struct.id.client && isMissing(id))
      const other = before && lines.get(before.client)
      if (!struct) waiting.pop()
      else if (other && !waiting.includes(other)) waiting.push(other)
      else {
        ordered.push(struct)
        line.taken += 1
        if (waiting.length > 1) waiting.pop()
      }
    }
  }
  return ordered
}

function standsOn(struct: Struct): Y.ID[] {
  if (!(struct instanceof Y.Item)) return []
  const parent = struct.parent as unknown
  return [struct.origin, struct.rightOrigin, parent instanceof Y.ID ? parent : null].flatMap((id) => id ?? [])
}

/** Encodes in Yjs' update format V1. */
function encode(
  structs: readonly Struct[],
  deleted: readonly { client: number; clock: number; len: number }[],
): Uint8Array {
  const encoder = new Y.UpdateEncoderV1()
  const rest = encoder.restEncoder
  const byClient = groupByClient(structs, ({ id }) => id.client)
  writeVarUint(rest, byClient.size)
  for (const [client, own] of byClient) {
    writeVarUint(rest, own.length)
    encoder.writeClient(client)
    writeVarUint(rest, own[0]?.id.clock ?? 0)
    for (const struct of own) struct.write(encoder, 0)
  }
  const gone = groupByClient(deleted, ({ client }) => client)
  writeVarUint(rest, gone.size)
  for (const [client, own] of gone) {
    encoder.resetDsCurVal()
    writeVarUint(rest, client)
    writeVarUint(rest, own.length)
    for (const { clock, len } of own) {
      encoder.writeDsClock(clock)
      encoder.writeDsLen(len)
    }
  }
  return encoder.toUint8Array()
}

function groupByClient<Item>(items: readonly Item[], clientOf: (item: Item) => number): Map<number, Item[]> {
  const groups = new Map<number, Item[]>()
  for (const item of items) {
    const group = groups.get(clientOf(item))
    if (group) group.push(item)
    else groups.set(clientOf(item), [item])
  }
  return groups
}
