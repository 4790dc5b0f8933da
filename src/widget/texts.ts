/** The texts of the chat itself; what the bot says comes from its flow. One table a language, English being the whole one. */
const en = {
  loading: 'Opening the chat',
  conversation: 'Conversation',
  restart: 'Start again',
  restartConfirm: 'Start again? This conversation is left behind.',
  cancel: 'Cancel',
  ended: 'The conversation has ended',
  typing: 'is typing',
  message: 'Your message',
  email: 'Your email address',
  number: 'A number',
  choose: 'Choose one',
  chooseSeveral: 'Choose one or several',
  send: 'Send',
  skip: 'Skip',
  notSent: 'Not sent.',
  retry: 'Send again',
  offline: 'No connection. Your messages are kept here.',
  goneTitle: 'This chatbot is not available',
  goneText: 'It may have been taken offline, or the link is not complete.',
  failedTitle: 'The chat could not be opened',
  failedText: 'The server did not answer.',
  tryAgain: 'Try again',
  invalidEmail: 'Enter a valid email address',
  invalidNumber: 'Enter a number',
  wholeNumber: 'Enter a whole number',
  tooSmall: 'Must be at least {n}',
  tooLarge: 'Must be at most {n}',
  imageFailed: 'The image could not be loaded',
  poweredBy: 'Made with Parley',
} as const

export type ChatTexts = Record<keyof typeof en, string>

const languages: Record<string, ChatTexts> = { en }

/** The texts of a language (`de`, `pt-br`); English where there is none. */
export function chatTexts(language: string): ChatTexts {
  return languages[language.toLowerCase()] ?? languages[language.toLowerCase().split('-')[0] ?? 'en'] ?? en
}
