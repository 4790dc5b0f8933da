/** The address of a trigger that other programs call, and what was sent to it last. */
export interface HookState {
  url: string
  /** whether calls have to be signed */
  signed: boolean
  /** null: nothing yet */
  sample: string | null
  called_at: string | null
  /** why the last call was refused; null: it was not */
  problem: string | null
}

/** Each rejects with an Error whose message is a sentence to show. */
export interface Hooks {
  /** makes the address if there is none */
  open: (blockId: string) => Promise<HookState>
  renew: (blockId: string) => Promise<HookState>
  /** @returns the new secret; null where calls are not signed any more */
  sign: (blockId: string, signed: boolean) => Promise<{ state: HookState; secret: string | null }>
  forget: (blockId: string) => Promise<unknown>
}
