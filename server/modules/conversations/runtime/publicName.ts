/** How a visitor's name of a chatbot is looked up, and what a conversation under it belongs to. */
export function nameOf(name: string) {
  if (name.startsWith('@')) return { column: 'chatbots.egid', value: name.slice(1), environment: 'production' } as const
  return { column: 'chatbots.slug', value: name, environment: 'sharing' } as const
}
