/** The languages of the interface, which mails to its people are in as well: the folders of src/i18n. */
export const interfaceLanguages = ['en', 'de'] as const
export type InterfaceLanguage = (typeof interfaceLanguages)[number]
