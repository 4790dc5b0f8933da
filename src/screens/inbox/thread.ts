import { messageToString } from '../../../engine/flow/conversationWords'
import type { InboxActivity, InboxMessage, InboxNote, InboxTurn, ThreadPage } from '../../../server/contracts/inbox'
import type { Offered } from '../../../server/contracts/offered'

/** What stands in a conversation, in its order. */
export type ThreadItem =
  | { kind: 'message'; key: string; message: InboxMessage /** it begins what its author says */; starts: boolean }
  | { kind: 'note'; key: string; note: InboxNote }
  | { kind: 'activity'; key: string; activity: InboxActivity }
  | { kind: 'turn'; key: string; turn: InboxTurn }
  /** what the visitor could choose from or fill in; `said`: what they said next, null: nothing yet */
  | { kind: 'offer'; key: string; offered: Offered; said: string | null }
  /** from here on it stands in another conversation: a merged one, or the one that is read */
  | { kind: 'source'; key: string; of: string | undefined }

/** Messages with what stands between them: the steps of the bot's turn, then notes and events by their time. */
export function arrange(pages: readonly ThreadPage[]): ThreadItem[] {
  const messages = pages.flatMap((page) => page.messages)
  const turns = pages.flatMap((page) => page.turns)
  const between = [
    ...pages.flatMap((page) => page.notes.map((note) => ({ of: note.of, at: note.at, after: note.after, note }))),
    ...pages.flatMap((page) =>
      page.activity.map((activity) => ({ of: activity.of, at: activity.at, after: activity.after, activity })),
    ),
  ].sort((a, b) => a.at.localeCompare(b.at))
  // the number of the first message on the screen, of each conversation
  const firsts = new Map<string | undefined, number>()
  for (const { of, seq } of messages) if (!firsts.has(of)) firsts.set(of, seq)
  const behind = (of: string | undefined, isBehind: (after: number) => boolean): ThreadItem[] => [
    ...turns
      .filter((turn) => turn.of === of && isBehind(turn.last))
      .flatMap((turn): ThreadItem[] => {
        const key = `${of ?? ''}${turn.run}.${turn.turn}`
        const { offered } = turn
        return [
          ...(offered
            ? [{ kind: 'offer', key: `offer ${key}`, offered, said: saidAfter(messages, of, turn.last) } as const]
            : []),
          { kind: 'turn', key: `turn ${key}`, turn },
        ]
      }),
    ...between
      .filter((one) => one.of === of && isBehind(one.after))
      .map(
        (one): ThreadItem =>
          'note' in one
            ? { kind: 'note', key: `note ${one.note.gid}`, note: one.note }
            : { kind: 'activity', key: `activity ${one.activity.id}`, activity: one.activity },
      ),
  ]
  return [
    ...(messages.length === 0 ? behind(undefined, () => true) : []),
    ...messages.flatMap((message, index): ThreadItem[] => {
      const { of, seq } = message
      const before = messages[index - 1]
      const isElsewhere = before?.of !== of
      const starts =
        isElsewhere ||
        before?.author !== message.author ||
        before.sender?.gid !== message.sender?.gid ||
        isLater(before, message)
      const key = messageKey(message)
      return [
        ...(isElsewhere && (before || of) ? [{ kind: 'source', key: `source ${key}`, of } as const] : []),
        // what stands before the first message of its conversation
        ...(firsts.get(of) === seq ? behind(of, (after) => after < seq) : []),
        { kind: 'message', key: `message ${key}`, message, starts },
        ...behind(of, (after) => after === seq),
      ]
    }),
  ]
}

/** What a visitor said next in a conversation; null: nothing yet. */
function saidAfter(messages: readonly InboxMessage[], of: string | undefined, seq: number): string | null {
  const next = messages.find((message) => message.of === of && message.seq > seq && message.author === 2)
  return next ? messageToString(next.content) : null
}

/** What tells a message from others of a thread: merged conversations have numbers of their own. */
export const messageKey = ({ of, seq }: Pick<InboxMessage, 'of' | 'seq'>): string =>
  of === undefined ? String(seq) : `${of}.${seq}`

const GROUP_MS = 5 * 60_000
const isLater = (before: InboxMessage, message: InboxMessage): boolean =>
  Date.parse(message.at) - Date.parse(before.at) > GROUP_MS
