import { languageCandidates } from '../../engine/values/languageTags'

/**
 * The texts of the chat itself; the bot's messages come from its flow. English is included, other languages are
 * separate files.
 */
export const english = {
  loading: 'Opening the chat',
  conversation: 'Conversation',
  openChat: 'Open the chat',
  restart: 'Start again',
  restartConfirm: 'Start again? This conversation is left behind.',
  cancel: 'Cancel',
  ended: 'The conversation has ended',
  sentToTeam: 'Sent to the team. They answer by mail at {email}',
  sentNoEmail: 'Sent to the team. You gave no email address for an answer.',
  keptForTeam: 'Saved for the team. They aren’t notified, so an answer may take a while.',
  before: 'Before you: {n}',
  nextInLine: 'You are next',
  typing: 'is typing',
  message: 'Your message',
  email: 'Your email address',
  phone: 'Your phone number',
  url: 'A web address',
  number: 'A number',
  date: 'Date',
  time: 'Time',
  dateTime: 'Date and time',
  timeZone: 'Time in {zone}',
  from: 'From',
  to: 'To',
  choose: 'Choose one',
  chooseSeveral: 'Choose one or several',
  send: 'Send',
  skip: 'Skip',
  skipped: 'Skipped',
  suggestions: 'Suggested answers',
  rate: 'Choose a rating',
  sending: 'Sending…',
  notSent: 'Not sent.',
  notSentYet: 'Not sent yet, trying again.',
  retry: 'Send again',
  offline: 'No connection. Your messages are kept here.',
  goneTitle: 'This chatbot is not available',
  goneText: 'It may have been taken offline, or the link is not complete.',
  failedTitle: 'The chat could not be opened',
  failedText: 'The server did not answer.',
  tryAgain: 'Try again',
  invalidEmail: 'Enter a valid email address',
  invalidPhone: 'Enter a valid phone number',
  invalidUrl: 'Enter a valid URL (must start with https:// or http://)',
  invalidDate: 'Enter a date and time that exist',
  wrongOrder: 'The end must not be before the start',
  tooEarly: 'Must not be before {n}',
  tooLate: 'Must not be after {n}',
  invalidNumber: 'Enter a number',
  required: 'Required',
  tooLong: 'Must be less than {n} characters',
  optional: '(Optional)',
  fixErrors: 'Fix the errors in the form and retry',
  choosePlaceholder: 'Choose',
  imageFailed: 'The image could not be loaded',
  mediaFailed: 'This can’t be played here.',
  openIt: 'Open it in a new tab',
  video: 'Video',
  audio: 'Audio',
  cards: 'Cards',
  card: '{n} of {of}',
  previous: 'Previous',
  next: 'Next',
  goOn: 'Continue at',
  sources: 'Sources',
  images: 'images',
  videos: 'videos',
  sounds: 'sounds',
  dropFiles: 'Drop files here, or',
  dropFile: 'Drop a file here, or',
  chooseFiles: 'choose files',
  chooseFile: 'choose a file',
  filesLimit: 'Up to {n} files, {size} each',
  fileLimit: 'Up to {size}',
  fileTooLarge: 'Larger than {size}',
  fileEmpty: 'This file is empty',
  fileType: 'Can’t be sent here: {types} only',
  tooManyFiles: 'At most {n} files can be sent',
  uploading: 'Uploading',
  uploaded: 'Uploaded',
  uploadFailed: 'Not uploaded',
  uploadAgain: 'Upload again',
  remove: 'Remove {name}',
  poweredBy: 'Made with Parley',
  helpful: 'Was this helpful?',
  yes: 'Yes',
  no: 'No',
  copy: 'Copy',
  copied: 'Copied',
  enlarge: 'Enlarge the image',
  close: 'Close',
  loadMore: 'Load more',
  newMessages: 'New',
  transcript: 'Send me this conversation by email',
  transcriptSent: 'Sent to {email}',
  speak: 'Speak',
  listening: 'Listening…',
  play: 'Play',
  pause: 'Pause',
} as const

export type ChatTexts = Record<keyof typeof english, string>

const files = import.meta.glob<ChatTexts>('./texts/*.json', { import: 'default' })

/** The languages that there are texts in, by their codes. */
export const textLanguages = ['en', ...Object.keys(files).map((file) => file.slice('./texts/'.length, -'.json'.length))]

/** Those that are written from right to left. */
const RIGHT_TO_LEFT = ['ar', 'fa', 'he', 'ur']

export interface SpokenTexts {
  /** which it is: its code, for the page */
  language: string
  dir: 'ltr' | 'rtl'
  texts: ChatTexts
}

/** Maps a language of a browser or setting (`de`, `pt-BR`, `zh-Hant-TW`) to one that has texts; English otherwise. */
export const textLanguageOf = (language: string): string =>
  languageCandidates(language).find((code) => textLanguages.includes(code)) ?? 'en'

/** Whether there are texts in a language. */
export const isSpoken = (language: string): boolean =>
  languageCandidates(language).some((code) => textLanguages.includes(code))

/** The texts of a language. In English where there are none, or where they can't be had now. */
export async function loadTexts(language: string): Promise<SpokenTexts> {
  const code = textLanguageOf(language)
  const texts = await files[`./texts/${code}.json`]?.().catch(() => null)
  if (!texts) return { language: 'en', dir: 'ltr', texts: english }
  return { language: code, dir: RIGHT_TO_LEFT.includes(code) ? 'rtl' : 'ltr', texts }
}

/** Puts values in the place of `{name}`. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
