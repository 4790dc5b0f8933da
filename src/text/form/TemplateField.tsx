import { RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { IdSource } from '../../../engine/flow/ids'
import { type DynamicValue, dynamicValueToString, staticValue } from '../../../engine/values/dynamicValue'
import type { ChannelTemplate, TemplatePlace } from '../../../server/contracts/channelTemplates'
import { IconButton } from '../../ui/IconButton'
import { Select } from '../../ui/Select'
import { nameOfVariable, useFlowScope } from '../flowScope'
import { TemplatePreview } from '../TemplatePreview'
import { errorId, FieldFrame } from './FieldFrame'
import { FormNote } from './FormNote'
import styles from './form.module.css'
import { useField, useForm } from './formContext'
import { MediaField } from './MediaField'
import { newId } from './newId'
import { DynamicField } from './textFields'

type Named = { name: string; language: string }
interface Filled extends TemplatePlace {
  id: string
  value: DynamicValue
}
type Answering = { id: string; label: string }

/**
 * A template of the chatbot's number at WhatsApp, what fills its places, and what it says then. Writes `template`,
 * `values` and `replies`: what was filled stays where a place of that name is.
 */
export function TemplateField({ name, max }: { name: string; max: number }) {
  const { t } = useTranslation('text')
  const field = useField<Named | null>(name)
  const { data, setData } = useForm()
  const values = (data.values ?? []) as readonly Filled[]
  const { all, problem, isLoading, isConnected, reload } = useTemplates(field.readOnly)
  const { templates, variables } = useFlowScope()
  const chosen = all.find((each) => field.value !== null && keyOf(each) === keyOf(field.value))
  const offered = all.filter((each) => each.sendable || each === chosen)
  const isGone = field.value !== null && !chosen && all.length > 0
  const known = field.value !== null && !chosen ? [field.value, ...offered] : offered
  const pick = (key: string | null) => {
    const template = all.find((each) => keyOf(each) === key)
    if (template) setData(dataOf(template, values, (data.replies ?? []) as readonly Answering[], newId))
  }
  const hasChanged = chosen && shapeOf(chosen.places) !== shapeOf(values)
  const error = isGone
    ? t('templates.gone')
    : hasChanged
      ? t('templates.changed')
      : (field.error ?? problem ?? undefined)
  return (
    <>
      <FieldFrame field={{ ...field, error }}>
        <div className={styles.choice}>
          <Select
            id={field.id}
            data={known.map((each) => ({ value: keyOf(each), label: `${each.name} (${each.language})` }))}
            value={field.value && keyOf(field.value)}
            placeholder={isLoading ? t('choices.loading') : field.placeholder}
            nothingFoundMessage={isLoading ? t('choices.loading') : t('templates.none')}
            searchable
            limit={100}
            disabled={field.readOnly}
            error={error !== undefined}
            aria-describedby={errorId(field.id)}
            onChange={pick}
          />
          {!field.readOnly && templates && (
            <IconButton
              size="s"
              label={t('choices.reload', { name: field.label })}
              icon={<RefreshCw size={14} />}
              disabled={isLoading}
              onClick={reload}
            />
          )}
        </div>
      </FieldFrame>
      {!isConnected && (
        <FormNote warns link={{ to: templates?.screen ?? null, text: t('templates.connect') }}>
          {t('templates.unconnected')}
        </FormNote>
      )}
      {values.map(({ id, kind, part, name: place }, at) => {
        const named = { name: `values.${at}.value`, max }
        if (kind !== 'text')
          return <MediaField {...named} key={id} medium={kind} inList label={t(`templates.of.${kind}`)} />
        const label = t(`templates.of.${part}`, { place: `{{${place}}}` })
        return <DynamicField {...named} key={id} label={label} />
      })}
      {chosen && (
        <TemplatePreview
          template={chosen}
          values={chosen.places.map((place) => {
            const value = values.find((each) => isSame(each, place))?.value
            return value ? dynamicValueToString(value, (id) => `{${nameOfVariable(id, variables) ?? ''}}`) : ''
          })}
        />
      )}
    </>
  )
}

const keyOf = ({ name, language }: Named) => `${name} ${language}`
const isSame = (one: TemplatePlace, two: TemplatePlace): boolean =>
  one.part === two.part && one.index === two.index && one.name === two.name
const shapeOf = (places: readonly TemplatePlace[]): string =>
  JSON.stringify(places.map(({ part, index, name, kind }) => [part, index, name, kind]))

/** A block's data with another template, or the same as it is now. */
function dataOf(
  { name, language, places, replies }: ChannelTemplate,
  values: readonly Filled[],
  answers: readonly Answering[],
  id: IdSource,
) {
  return {
    template: { name, language },
    values: places.map(
      (place) =>
        values.find((each) => isSame(each, place) && each.kind === place.kind) ?? {
          id: id(),
          ...place,
          value: staticValue(''),
        },
    ),
    // an answer keeps its port
    replies: replies.map((label) => answers.find((each) => each.label === label) ?? { id: id(), label }),
  }
}

/** The templates of the chatbot's number as they are known; as WhatsApp has them now on `reload`. */
function useTemplates(readOnly: boolean) {
  const { t } = useTranslation('text')
  const load = useFlowScope().templates?.load
  const [listed, setListed] = useState<Listed>(NOTHING)
  const [reloads, setReloads] = useState(0)
  useEffect(() => {
    if (!load || readOnly) return setListed(NOTHING)
    const gone = new AbortController()
    setListed((before) => ({ ...before, isLoading: true }))
    load(reloads > 0, gone.signal).then(
      (all) => setListed({ all: all ?? [], problem: null, isLoading: false, isConnected: all !== null }),
      (error: unknown) => {
        if (gone.signal.aborted) return
        const problem = error instanceof Error ? error.message : t('choices.failed')
        setListed((before) => ({ ...before, problem, isLoading: false }))
      },
    )
    return () => gone.abort()
  }, [load, readOnly, reloads, t])
  return { ...listed, reload: () => setReloads((count) => count + 1) }
}

interface Listed {
  all: readonly ChannelTemplate[]
  problem: string | null
  isLoading: boolean
  isConnected: boolean
}
const NOTHING: Listed = { all: [], problem: null, isLoading: false, isConnected: true }
