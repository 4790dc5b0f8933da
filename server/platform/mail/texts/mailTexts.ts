import type { InterfaceLanguage } from '../../../contracts/languages'
import { de } from './de'
import { en } from './en'

export type MailTexts = typeof en
const all: Readonly<Record<InterfaceLanguage, MailTexts>> = { en, de }

/** What mails say in the language of whom they go to. */
export const mailTexts = (language: InterfaceLanguage): MailTexts => all[language]

/** A day as it is written in a mail. */
export const mailDay = (language: InterfaceLanguage, day: Date): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(day)

export const mailNumber = (language: InterfaceLanguage, value: number): string =>
  value.toLocaleString(language, { maximumFractionDigits: 1 })
