import type { InboxActivity, InboxMessage, InboxNote, InboxTurn, ThreadPage } from '../../../server/contracts/inbox'

/** What stands in a conversation, in its order. */
export type ThreadItem =
  | { kind: 'message'; key: string; message: InboxMessage /** it begins what its author says */; starts: boolean }
  | { kind: 'note'; key: string; note: InboxNote }
  | { kind: 'activity'; key: string; activity: InboxActivity }
  | { kind: 'turn'; key: string; turn: InboxTurn }

/** Messages with what stands between them: the steps of the bot's turn, then notes and events by their time. */
export function arrange(pages: readonly ThreadPage[]): ThreadItem[] {
  const messages = pages.flatMap((page) => page.messages)
  const turns = pages.flatMap((page) => page.turns)
  const between = [
    ...pages.flatMap((page) => page.notes.map((note) => ({ at: note.at, after: note.after, note }))),
    ...pages.flatMap((page) => page.activity.map((activity) => ({ at: activity.at, after: activity.after, activity }))),
  ].sort((a, b) => a.at.localeCompare(b.at))
  const numbers = messages.map(({ seq }) => seq)
  const first = numbers[0] ?? 0
  const behind = (seq: number, isFirst: boolean): ThreadItem[] => {
    const belongs = (after: number) => (isFirst ? after < first : after === seq)
    return [
      ...turns
        .filter(({ last }) => belongs(last))
        .map((turn): ThreadItem => ({ kind: 'turn', key: `turn ${turn.run}.${turn.turn}`, turn })),
      ...between
        .filter(({ after }) => belongs(after))
        .map(
          (one): ThreadItem =>
            'note' in one
              ? { kind: 'note', key: `note ${one.note.gid}`, note: one.note }
              : { kind: 'activity', key: `activity ${one.activity.id}`, activity: one.activity },
        ),
    ]
  }
  return [
    ...behind(0, true),
    ...messages.flatMap((message, index): ThreadItem[] => {
      const before = messages[index - 1]
      const starts =
        before?.author !== message.author || before.sender?.gid !== message.sender?.gid || isLater(before, message)
      return [{ kind: 'message', key: `message ${message.seq}`, message, starts }, ...behind(message.seq, false)]
    }),
  ]
}

const GROUP_MS = 5 * 60_000
const isLater = (before: InboxMessage, message: InboxMessage): boolean =>
  Date.parse(message.at) - Date.parse(before.at) > GROUP_MS
