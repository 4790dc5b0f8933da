import { textLanguageOf } from './texts'

/** Texts of parts that few visitors see, loaded with them: the closed page, the locked one, consent, the survey. */
export const englishPage = {
  closedTitle: 'We’re closed at the moment',
  opensAt: 'Open again: {when}',
  leaveMessage: 'Leave a message and we’ll answer by mail.',
  yourName: 'Your name',
  leftMessage: 'Thank you. We’ll answer at {email}',
  passwordAsked: 'This page asks for a password',
  password: 'Password',
  wrongPassword: 'Wrong password',
  membersOnly: 'Only members of the project can open this page',
  logIn: 'Log in',
  noMember: 'The account you are logged in with is not a member of this project.',
  consent: 'May this browser keep your conversation, so that you can come back to it?',
  consentYes: 'Allow',
  consentNo: 'No, thanks',
  consentCount: 'Count this visit in the statistics',
  surveyTitle: 'How was this conversation?',
  veryBad: 'Very bad',
  bad: 'Bad',
  okay: 'Okay',
  good: 'Good',
  veryGood: 'Very good',
  followUp: 'What was it about?',
  reasonAnswers: 'The answers',
  reasonSpeed: 'The speed',
  reasonUnderstanding: 'Being understood',
  reasonPerson: 'Reaching a person',
  reasonOther: 'Something else',
  resolved: 'Was your question answered?',
  yes: 'Yes',
  no: 'No',
  feedback: 'Anything to add?',
  surveyThanks: 'Thank you for your feedback',
  toWhatsapp: 'Continue on WhatsApp',
  openWhatsapp: 'Open WhatsApp',
  sendWhatsapp: 'Send the message that is written there: it brings this conversation along.',
  scanWhatsapp: 'Or scan this code with your phone',
} as const

export type PageTexts = Record<keyof typeof englishPage, string>

const files = import.meta.glob<PageTexts>('./pageTexts/*.json', { import: 'default' })

/** The languages that there are such texts in, by their codes. */
export const pageTextLanguages = [
  'en',
  ...Object.keys(files).map((file) => file.slice('./pageTexts/'.length, -'.json'.length)),
]

/**
 * These texts in a language. In English where there are none, or where they can't be had now.
 * @param own the chat's texts in that language, among which an editor's own are
 */
export async function loadPageTexts(language: string, own: Partial<PageTexts> = {}): Promise<PageTexts> {
  const texts = (await files[`./pageTexts/${textLanguageOf(language)}.json`]?.().catch(() => null)) ?? englishPage
  const replaced = Object.entries(own).filter(([key, text]) => text && Object.hasOwn(englishPage, key))
  return replaced.length === 0 ? texts : { ...texts, ...Object.fromEntries(replaced) }
}
