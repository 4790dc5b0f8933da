/** Queries for a chatbot's public name, and for what a conversation under that name belongs to. */
export function nameOf(name: string) {
  if (name.startsWith('@')) return { column: 'chatbots.egid', value: name.slice(1), environment: 'production' } as const
  return { column: 'chatbots.slug', value: name, environment: 'sharing' } as const
}
