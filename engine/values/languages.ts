/** A language that a chatbot can use: the option of SPEC.md 3 (name and code), and its name in the language itself. */
export interface Language {
  readonly code: string
  readonly name: string
  readonly own: string
  /** written from right to left */
  readonly rtl?: true
}

/**
 * The languages of the chat widget's own texts and of translations of flows (SPEC.md 9), by name. Codes are BCP 47 in
 * lower case, with a region if written forms differ.
 */
export const widgetLanguages: readonly Language[] = [
  { code: 'af', name: 'Afrikaans', own: 'Afrikaans' },
  { code: 'ar', name: 'Arabic', own: 'العربية', rtl: true },
  { code: 'bn', name: 'Bengali', own: 'বাংলা' },
  { code: 'bg', name: 'Bulgarian', own: 'Български' },
  { code: 'ca', name: 'Catalan', own: 'Català' },
  { code: 'zh-cn', name: 'Chinese (Simplified)', own: '简体中文' },
  { code: 'zh-tw', name: 'Chinese (Traditional)', own: '繁體中文' },
  { code: 'hr', name: 'Croatian', own: 'Hrvatski' },
  { code: 'cs', name: 'Czech', own: 'Čeština' },
  { code: 'da', name: 'Danish', own: 'Dansk' },
  { code: 'nl', name: 'Dutch', own: 'Nederlands' },
  { code: 'en', name: 'English', own: 'English' },
  { code: 'et', name: 'Estonian', own: 'Eesti' },
  { code: 'tl', name: 'Filipino', own: 'Filipino' },
  { code: 'fi', name: 'Finnish', own: 'Suomi' },
  { code: 'fr', name: 'French', own: 'Français' },
  { code: 'de', name: 'German', own: 'Deutsch' },
  { code: 'el', name: 'Greek', own: 'Ελληνικά' },
  { code: 'gu', name: 'Gujarati', own: 'ગુજરાતી' },
  { code: 'he', name: 'Hebrew', own: 'עברית', rtl: true },
  { code: 'hi', name: 'Hindi', own: 'हिन्दी' },
  { code: 'hu', name: 'Hungarian', own: 'Magyar' },
  { code: 'id', name: 'Indonesian', own: 'Bahasa Indonesia' },
  { code: 'it', name: 'Italian', own: 'Italiano' },
  { code: 'ja', name: 'Japanese', own: '日本語' },
  { code: 'ko', name: 'Korean', own: '한국어' },
  { code: 'lv', name: 'Latvian', own: 'Latviešu' },
  { code: 'lt', name: 'Lithuanian', own: 'Lietuvių' },
  { code: 'ms', name: 'Malay', own: 'Bahasa Melayu' },
  { code: 'mr', name: 'Marathi', own: 'मराठी' },
  { code: 'no', name: 'Norwegian', own: 'Norsk' },
  { code: 'fa', name: 'Persian', own: 'فارسی', rtl: true },
  { code: 'pl', name: 'Polish', own: 'Polski' },
  { code: 'pt', name: 'Portuguese', own: 'Português' },
  { code: 'pt-br', name: 'Portuguese (Brazil)', own: 'Português (Brasil)' },
  { code: 'ro', name: 'Romanian', own: 'Română' },
  { code: 'ru', name: 'Russian', own: 'Русский' },
  { code: 'sr', name: 'Serbian', own: 'Српски' },
  { code: 'sk', name: 'Slovak', own: 'Slovenčina' },
  { code: 'sl', name: 'Slovenian', own: 'Slovenščina' },
  { code: 'es', name: 'Spanish', own: 'Español' },
  { code: 'sw', name: 'Swahili', own: 'Kiswahili' },
  { code: 'sv', name: 'Swedish', own: 'Svenska' },
  { code: 'ta', name: 'Tamil', own: 'தமிழ்' },
  { code: 'te', name: 'Telugu', own: 'తెలుగు' },
  { code: 'th', name: 'Thai', own: 'ไทย' },
  { code: 'tr', name: 'Turkish', own: 'Türkçe' },
  { code: 'uk', name: 'Ukrainian', own: 'Українська' },
  { code: 'ur', name: 'Urdu', own: 'اردو', rtl: true },
  { code: 'vi', name: 'Vietnamese', own: 'Tiếng Việt' },
]

const byCode = new Map(widgetLanguages.map((language) => [language.code, language]))

export const findLanguage = (code: string): Language | undefined => byCode.get(code)

/** A language's English name; its code if it is not in the list. */
export const languageName = (code: string): string => byCode.get(code)?.name ?? code

export const isRightToLeft = (code: string): boolean => byCode.get(code)?.rtl === true
