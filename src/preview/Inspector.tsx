import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json } from '../../engine/values/json'
import type { PlaygroundDebug } from '../../server/api/playground/contract'
import { Tabs } from '../ui/Tabs'
import css from './PreviewPane.module.css'

export interface StepNames {
  title: string
  group: string
  /** the label of the port it was left by; null for the plain next */
  exit: string | null
}

export type Step = PlaygroundDebug['path'][number]

/** What went on inside: the variables as they are now, and every step so far. */
export function Inspector(props: {
  debug: PlaygroundDebug | null
  describe: (step: Step) => StepNames | null
  onShow: (place: { flowId: string | null; blockId: string }) => void
}) {
  const { debug, describe, onShow } = props
  const { t } = useTranslation('preview')
  /** on a small screen the conversation needs the room */
  const [open, setOpen] = useState(() => !window.matchMedia('(max-width: 760px)').matches)
  return (
    <div className={css.inspector} data-open={open || undefined}>
      <button type="button" className={css.toggle} aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronDown size={14} aria-hidden="true" />
        {t('inspect')}
      </button>
      {open && (
        <Tabs defaultValue="variables" className={css.tabs}>
          <Tabs.List>
            <Tabs.Tab value="variables">{t('variables')}</Tabs.Tab>
            <Tabs.Tab value="path">{t('path')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="variables" className={css.panel}>
            <Variables variables={debug?.variables ?? []} />
          </Tabs.Panel>
          <Tabs.Panel value="path" className={css.panel}>
            <Path debug={debug} describe={describe} onShow={onShow} />
          </Tabs.Panel>
        </Tabs>
      )}
    </div>
  )
}

function Variables({ variables }: { variables: PlaygroundDebug['variables'] }) {
  const { t } = useTranslation('preview')
  if (variables.length === 0) return <p className={css.empty}>{t('noVariables')}</p>
  return (
    <dl className={css.variables}>
      {variables.map((variable) => (
        <div key={variable.id}>
          <dt title={variable.name}>{variable.name}</dt>
          <dd>{variable.value === null ? <em>{t('unset')}</em> : print(variable.value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Path({ debug, describe, onShow }: Parameters<typeof Inspector>[0]) {
  const { t } = useTranslation('preview')
  const path = debug?.path ?? []
  if (path.length === 0) return <p className={css.empty}>{t('noPath')}</p>
  return (
    <ol className={css.path}>
      {path.map((step, index) => {
        const known = describe(step)
        const last = index === path.length - 1
        const title = known?.title ?? t('gone')
        const written = Object.keys(step.writes).map((id) => t('wrote', { name: debug?.names[id] ?? id }))
        const notes = [
          ...(known?.exit ? [t('leftBy', { port: known.exit })] : []),
          ...(last && debug?.active ? [t('waiting')] : []),
          ...written,
          ...(step.note ? [step.note] : []),
        ]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the path only grows at its end
          <li key={index} data-starts={step.turn !== path[index - 1]?.turn || undefined}>
            <button
              type="button"
              disabled={!known}
              onClick={() => onShow(step)}
              aria-label={t('step', { title, group: known?.group ?? '' })}
            >
              <span className={css.stepTitle}>{title}</span>
              <span className={css.stepGroup}>{known?.group}</span>
              {notes.length > 0 && <span className={css.stepNotes}>{notes.join(' · ')}</span>}
            </button>
          </li>
        )
      })}
    </ol>
  )
}

const print = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
