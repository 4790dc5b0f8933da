/** What stands for a chatbot's picture. */
export const initial = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? '?'
