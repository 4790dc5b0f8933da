const keyOf = (conversation: string) => `parley:reply:${conversation}`

/** What was written in a conversation and not sent, on this device. A browser without storage keeps nothing. */
export function readDraft(conversation: string): string {
  try {
    return localStorage.getItem(keyOf(conversation)) ?? ''
  } catch {
    return ''
  }
}

export function keepDraft(conversation: string, text: string): void {
  try {
    if (text.trim()) localStorage.setItem(keyOf(conversation), text)
    else localStorage.removeItem(keyOf(conversation))
  } catch {
    // full, or not allowed: the text is still on the screen
  }
}

export const forgetDraft = (conversation: string): void => keepDraft(conversation, '')
