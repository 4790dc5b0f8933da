import i18next, { type BackendModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { serverWatch } from '../api/serverWatch'
import app from './en/app.json'
import { loadServerTexts } from './serverTexts'

type Texts = Record<string, unknown>
const files = import.meta.glob<Texts>(['./*/*.json', '!./en/app.json'], { import: 'default' })
const blockFiles = import.meta.glob<Texts>('../../blocks/*/*.json', {
  import: 'default',
})
const STORED_LANGUAGE = 'parley-language'

/** The languages of the interface: the folders beside this file. */
export const languages = [...new Set(['en', ...Object.keys(files).map((file) => file.split('/')[1] ?? 'en')])]

/** A language's name in itself. */
export const languageName = (language: string): string =>
  new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language

/**
 * Loads texts on demand. A namespace is a file beside this one; the namespace `blocks` is composed of each kind's own
 * file (`blocks/<kind>/<language>.json`, under the key `<kind>`).
 */
const lazyTexts: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read(language, namespace, done) {
    const load = namespace === 'blocks' ? () => loadBlocks(language) : files[`./${language}/${namespace}.json`]
    if (!load) return done(null, {})
    // without its texts a screen would show their keys: wait for the server
    const loading = load().catch(() => serverWatch.whenThere().then(load))
    loading.then(
      (texts) => done(null, texts),
      (error: Error) => done(error, null),
    )
  },
}

async function loadBlocks(language: string): Promise<Texts> {
  const own = Object.entries(blockFiles).filter(([path]) => path.endsWith(`/${language}.json`))
  return Object.fromEntries(await Promise.all(own.map(async ([path, load]) => [path.split('/').at(-2), await load()])))
}

/** The stored choice, otherwise the browser's first supported language, otherwise English. */
export function preferredLanguage(stored: string | null, wanted: readonly string[]): string {
  const known = [stored ?? '', ...wanted, ...wanted.map((tag) => tag.split('-')[0] ?? '')]
  return known.find((tag) => languages.includes(tag)) ?? 'en'
}

/**
 * Call once before the first render; the namespace `app` is available at once in English, others suspend while they
 * load.
 */
export function startI18n() {
  const inBrowser = typeof window !== 'undefined'
  void i18next
    .use(lazyTexts)
    .use(initReactI18next)
    .init({
      lng: inBrowser ? preferredLanguage(localStorage.getItem(STORED_LANGUAGE), navigator.languages) : 'en',
      fallbackLng: 'en',
      supportedLngs: languages,
      ns: ['app'],
      defaultNS: 'app',
      resources: { en: { app } },
      partialBundledLanguages: true,
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    })
  if (!inBrowser) return
  const mark = (language: string) => document.documentElement.setAttribute('lang', language)
  mark(i18next.language)
  loadServerTexts(i18next.language)
  i18next.on('languageChanged', mark)
  i18next.on('languageChanged', loadServerTexts)
}

/** Resolves when the namespaces' texts are loaded, or have failed; their components don't suspend then. */
export async function loadTexts(namespaces: readonly string[]): Promise<void> {
  // routes load their screens before the language is known
  if (!i18next.isInitialized) await new Promise((resolve) => i18next.on('initialized', resolve))
  await i18next.loadNamespaces(namespaces)
}

/** Whether somebody chose the language on this device. */
export const isLanguageChosen = (): boolean => localStorage.getItem(STORED_LANGUAGE) !== null

/** Stores the language on this device and switches to it. */
export async function chooseLanguage(language: string) {
  localStorage.setItem(STORED_LANGUAGE, language)
  await i18next.changeLanguage(language)
}
