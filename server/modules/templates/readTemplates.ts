/// <reference types="vite/types/importMeta.d.ts" />
import { parseFlowFile } from '../../../engine/flow/parseFlow'
import type { Registry } from '../../../engine/flow/registry'
import type { ChatbotFlows } from '../../../engine/flow/schema'
import { parseRecordings, type Recording } from '../../../engine/run/recordingFormat'
import { type InterfaceLanguage, interfaceLanguages } from '../../contracts/languages'
import { type About, aboutSchema, type TranslatedAbout, translatedAboutSchema } from './about'

/** A chatbot template with the conversations that test it. */
export interface Template {
  /** its folder's name */
  slug: string
  about: About
  /** the same in the interface's other languages */
  translations: ReadonlyMap<InterfaceLanguage, TranslatedAbout>
  /** the ids of other flows are those of the file */
  flows: ChatbotFlows
  tests: Recording[]
}

/** Bundled, each file loaded on demand. */
const files = import.meta.glob<string>('./*/*.json', { query: '?raw', import: 'default' })
const slugs = [...new Set(Object.keys(files).map((path) => path.split('/')[1] ?? ''))].sort()

const read = (slug: string, file: string): Promise<string> => {
  const load = files[`./${slug}/${file}.json`]
  if (!load) throw new Error(`The template ${slug} has no ${file}.json`)
  return load()
}

const known = new WeakMap<Registry, Map<string, Promise<Template>>>()

/** A template by slug, with its blocks migrated; null if there is none. */
export async function readTemplate(slug: string, registry: Registry): Promise<Template | null> {
  if (!slugs.includes(slug)) return null
  const templates = known.get(registry) ?? new Map<string, Promise<Template>>()
  known.set(registry, templates)
  const loading = templates.get(slug) ?? load(slug, registry)
  templates.set(slug, loading)
  return loading
}

/** What is said about a template, in a language of the interface. */
export const aboutIn = ({ about, translations }: Template, language: InterfaceLanguage): About => ({
  ...about,
  ...translations.get(language),
})

/** All templates, sorted by their English titles. */
export async function readTemplates(registry: Registry): Promise<Template[]> {
  const templates = await Promise.all(slugs.map((slug) => readTemplate(slug, registry)))
  return templates
    .filter((template) => template !== null)
    .sort((a, b) => a.about.title.localeCompare(b.about.title, 'en'))
}

async function load(slug: string, registry: Registry): Promise<Template> {
  const [about, flow, tests] = await Promise.all(['about', 'flow', 'tests'].map((file) => read(slug, file)))
  const translated = interfaceLanguages
    .filter((language) => language !== 'en')
    .map(async (language) => {
      const text = await read(slug, `about.${language}`)
      return [language, translatedAboutSchema.parse(JSON.parse(text))] as const
    })
  return {
    slug,
    about: aboutSchema.parse(JSON.parse(about ?? '')),
    translations: new Map(await Promise.all(translated)),
    flows: parseFlowFile(flow, registry),
    tests: parseRecordings(tests ?? ''),
  }
}
