import { ArrowLeft, Languages as LanguagesIcon, Redo2, Search, Undo2 } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { registry } from '../../../blocks/registry'
import type { Languages } from '../../../engine/translations/translation'
import type { Chatbot } from '../../../server/contracts/chatbots'
import { keyCaps } from '../../canvas/keyboard/chord'
import { useProjections } from '../../collab/useFlows'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import { IconButton } from '../../ui/IconButton'
import { KeyHint } from '../../ui/KeyHint'
import { ReadOnlyNotice } from '../../ui/ReadOnlyNotice'
import { Segmented } from '../../ui/Segmented'
import { Select } from '../../ui/Select'
import { TextField } from '../../ui/TextField'
import { Exchange } from './Exchange'
import { AddLanguage, LanguageBar } from './LanguageBar'
import { MachineButton } from './MachineButton'
import { TextTable } from './TextTable'
import styles from './translations.module.css'
import { useEdits, useSaveState } from './useEdits'
import { countStates, type Filter, filters, type OpenedFlow, useFound, useTexts, type Wanted } from './useTexts'

interface ViewProps {
  pgid: string
  chatbot: Chatbot
  flows: readonly OpenedFlow[]
  readOnly: boolean
}

/** The main language until somebody says another: most flows of our templates are in it. */
const NONE: Languages = { main: 'en', others: [] }
/** More columns than these are narrow at first; any number may be shown. */
const SHOWN_AT_FIRST = 2

/** The table of texts, what one looks for in it, and the languages. */
export function TranslationsView({ pgid, chatbot, flows, readOnly }: ViewProps) {
  const { t } = useTranslation('translations')
  const open = useMemo(() => flows.map((flow) => flow.open), [flows])
  const projections = useProjections(open)
  const texts = useTexts(flows, projections, registry)
  const edits = useEdits(flows, registry)
  const languages = projections[flows.findIndex(({ isMain }) => isMain)]?.languages ?? NONE
  const [search, setSearch] = useSearchParams()
  const asked = search.get('language')
  const [hidden, setHidden] = useState<ReadonlySet<string> | null>(null)
  const others = languages.others
  const shown = useMemo(
    () => others.filter((code, at) => (hidden ? !hidden.has(code) : asked ? code === asked : at < SHOWN_AT_FIRST)),
    [others, hidden, asked],
  )
  const toggle = (code: string) => {
    const next = shown.includes(code) ? shown.filter((one) => one !== code) : [...shown, code]
    setHidden(new Set(others.filter((one) => !next.includes(one))))
  }
  const [query, setQuery] = useState('')
  const [filter, setFilter] = useState<Filter>(() =>
    asked === null ? 'all' : countStates(texts, asked).missing > 0 ? 'missing' : 'outdated',
  )
  const [fid, setFid] = useState<string | null>(null)
  const wanted = useMemo<Wanted>(() => ({ search: query, filter, fid, languages: shown }), [query, filter, fid, shown])
  const found = useFound(texts, wanted)
  useUndoKeys(edits)
  const builder = `/projects/${pgid}/chatbots/${chatbot.gid}/builder`
  const add = (code: string) => {
    edits.setLanguages({ main: languages.main, others: [...others, code] })
    if (asked) setSearch({})
    setHidden(new Set(others.filter((one) => !shown.includes(one))))
  }
  return (
    <div className={styles.screen}>
      <header className={styles.header}>
        <Link to={builder} className={styles.back} aria-label={t('back')}>
          <ArrowLeft size={16} />
        </Link>
        <h1 className={styles.title}>{t('title')}</h1>
        <span className={styles.chatbot}>{chatbot.name}</span>
        <SaveState flows={flows} />
        <span className={styles.space} />
        {!readOnly && (
          <>
            <IconButton
              label={t('undo')}
              keys={<KeyHint keys={keyCaps('mod+z')} />}
              icon={<Undo2 size={16} />}
              disabled={!edits.undo}
              onClick={() => edits.undo?.()}
            />
            <IconButton
              label={t('redo')}
              keys={<KeyHint keys={keyCaps('mod+shift+z')} />}
              icon={<Redo2 size={16} />}
              disabled={!edits.redo}
              onClick={() => edits.redo?.()}
            />
          </>
        )}
        {others.length > 0 && (
          <Exchange
            name={chatbot.slug}
            flows={flows}
            projections={projections}
            languages={languages}
            readOnly={readOnly}
            edits={edits}
          />
        )}
        {others.length > 0 && !readOnly && (
          <MachineButton
            pgid={pgid}
            cgid={chatbot.gid}
            texts={texts}
            main={languages.main}
            languages={shown}
            edits={edits}
          />
        )}
      </header>
      {readOnly && (
        <div className={styles.notice}>
          <ReadOnlyNotice>{t('readOnly')}</ReadOnlyNotice>
        </div>
      )}
      {others.length === 0 ? (
        <div className={styles.empty}>
          <EmptyState
            icon={<LanguagesIcon size={20} />}
            title={t('emptyTitle')}
            message={t('emptyMessage')}
            action={!readOnly && <AddLanguage languages={languages} onAdd={add} design="primary" />}
          />
        </div>
      ) : (
        <>
          <LanguageBar
            languages={languages}
            texts={texts}
            shown={shown}
            readOnly={readOnly}
            onToggle={toggle}
            onAdd={add}
            onChange={edits.setLanguages}
          />
          <div className={styles.tools}>
            <TextField
              className={styles.search}
              aria-label={t('search')}
              placeholder={t('search')}
              leftSection={<Search size={14} />}
              value={query}
              onChange={(event) => setQuery(event.currentTarget.value)}
            />
            {flows.length > 1 && (
              <Select
                className={styles.flow}
                aria-label={t('flow')}
                data={[
                  { value: '', label: t('allFlows') },
                  ...flows.map((flow) => ({ value: flow.fid, label: flow.title })),
                ]}
                value={fid ?? ''}
                allowDeselect={false}
                onChange={(value) => setFid(value || null)}
              />
            )}
            <Segmented
              className={styles.filters}
              label={t('filter')}
              value={filter}
              options={filters.map((value) => ({ value, label: t(`filters.${value}`) }))}
              onChange={setFilter}
            />
          </div>
          {found.length > 0 ? (
            <TextTable
              texts={found}
              wanted={wanted}
              main={languages.main}
              languages={shown}
              readOnly={readOnly}
              edits={edits}
              manyFlows={flows.length > 1}
              builder={builder}
            />
          ) : (
            <div className={styles.empty}>
              {texts.length === 0 ? (
                <EmptyState
                  icon={<LanguagesIcon size={20} />}
                  title={t('noTextsTitle')}
                  message={t('noTextsMessage')}
                />
              ) : (
                <EmptyState
                  icon={<Search size={20} />}
                  title={t(query === '' ? 'allDone' : 'nothing')}
                  message={t(query === '' ? 'allDoneHint' : 'nothingHint')}
                  action={
                    <Button
                      onClick={() => {
                        setQuery('')
                        setFilter('all')
                        setFid(null)
                      }}
                    >
                      {t('showAll')}
                    </Button>
                  }
                />
              )}
            </div>
          )}
        </>
      )}
    </div>
  )
}

function SaveState({ flows }: { flows: readonly OpenedFlow[] }) {
  const { t } = useTranslation('translations')
  const state = useSaveState(flows)
  const text =
    state === 'saved' ? t('saved') : state === 'saving' || state === 'connecting' ? t('saving') : t('offline')
  return (
    <span className={styles.saved} role="status" data-state={state}>
      {text}
    </span>
  )
}

/** Outside of fields, which undo what was typed in them. */
function useUndoKeys({ undo, redo }: { undo: (() => void) | null; redo: (() => void) | null }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isField = event.target instanceof Element && event.target.closest('input, textarea') !== null
      if (isField || !(event.ctrlKey || event.metaKey) || event.altKey) return
      const key = event.key.toLowerCase()
      const act = key === 'z' ? (event.shiftKey ? redo : undo) : key === 'y' ? redo : null
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [undo, redo])
}
