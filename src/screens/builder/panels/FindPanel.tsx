import { ArrowDown, ArrowUp, CaseSensitive, Search as SearchIcon, WholeWord } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findText, replaceText, type Search, type TextMatch } from '../../../../engine/graph/findText'
import { useEditor, useKindTexts, useProjection } from '../../../canvas/context'
import { Button } from '../../../ui/Button'
import { EmptyState } from '../../../ui/EmptyState'
import { IconButton } from '../../../ui/IconButton'
import { notify } from '../../../ui/notify'
import { TextField } from '../../../ui/TextField'
import { useBuilder } from '../builderContext'
import styles from './FindPanel.module.css'
import { PanelHeader } from './PanelHeader'

/** The most matches listed; the rest is counted. */
const LISTED = 200

/** Finds and replaces text in titles and texts of the open flow. */
export function FindPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('builder')
  const { document, registry, readOnly } = useEditor()
  const { showPlace, chatbot, fid } = useBuilder()
  const projection = useProjection((whole) => whole)
  const [search, setSearch] = useState<Search>({ text: '', matchCase: false, wholeWord: false })
  const [replacement, setReplacement] = useState('')
  /** the current match; null before the first step */
  const [at, setAt] = useState<number | null>(null)
  const asked = useDeferredValue(search)
  const found = useMemo(() => findText(projection, asked), [projection, asked])
  const current = at === null ? null : Math.min(at, found.length - 1)
  const change = (more: Partial<Search>) => {
    setSearch((before) => ({ ...before, ...more }))
    setAt(null)
  }
  const go = (index: number) => {
    const match = found[(index + found.length) % found.length]
    if (!match) return
    setAt((index + found.length) % found.length)
    const flowId = fid === chatbot.fid ? null : fid
    showPlace({ flowId, groupId: match.groupId, blockId: match.blockId, keepPanel: true })
  }
  const step = (by: 1 | -1) => go(current === null ? (by === 1 ? 0 : -1) : current + by)
  const replace = (matches: readonly TextMatch[]) => {
    const { replaced, tooLong } = replaceText(
      { projection: document.projection(), commands: document.commands },
      registry,
      search,
      replacement,
      matches,
    )
    if (tooLong > 0) notify.error(t('find.tooLong', { count: tooLong }))
    else if (matches.length > 1) notify.success(t('find.replaced', { count: replaced }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || found.length === 0) return
    event.preventDefault()
    step(event.shiftKey ? -1 : 1)
  }
  return (
    <>
      <PanelHeader title={t('panels.find')} close={t('find.close')} onClose={onClose}>
        <div className={styles.searchRow}>
          <TextField
            className={styles.field}
            aria-label={t('find.search')}
            placeholder={t('find.search')}
            value={search.text}
            data-autofocus
            autoFocus
            onChange={(event) => change({ text: event.currentTarget.value })}
            onKeyDown={onKeyDown}
          />
          <IconButton
            size="s"
            label={t('find.matchCase')}
            icon={<CaseSensitive size={16} />}
            active={search.matchCase}
            onClick={() => change({ matchCase: !search.matchCase })}
          />
          <IconButton
            size="s"
            label={t('find.wholeWord')}
            icon={<WholeWord size={16} />}
            active={search.wholeWord}
            onClick={() => change({ wholeWord: !search.wholeWord })}
          />
        </div>
        {!readOnly && (
          <TextField
            aria-label={t('find.replacement')}
            placeholder={t('find.replacement')}
            value={replacement}
            onChange={(event) => setReplacement(event.currentTarget.value)}
          />
        )}
        <div className={styles.actions}>
          <span className={styles.count} role="status">
            {search.text !== '' && t('find.count', { count: found.length })}
          </span>
          <IconButton
            size="s"
            label={t('find.previous')}
            icon={<ArrowUp size={15} />}
            disabled={found.length === 0}
            onClick={() => step(-1)}
          />
          <IconButton
            size="s"
            label={t('find.next')}
            icon={<ArrowDown size={15} />}
            disabled={found.length === 0}
            onClick={() => step(1)}
          />
          {!readOnly && (
            <>
              <Button
                size="s"
                disabled={found.length === 0}
                onClick={() => replace(found.slice(current ?? 0, (current ?? 0) + 1))}
              >
                {t('find.replace')}
              </Button>
              <Button size="s" disabled={found.length === 0} onClick={() => replace(found)}>
                {t('find.replaceAll')}
              </Button>
            </>
          )}
        </div>
      </PanelHeader>
      <div className={styles.body}>
        {search.text === '' ? (
          <EmptyState icon={<SearchIcon size={20} />} title={t('find.start')} message={t('find.startHint')} />
        ) : found.length === 0 ? (
          <EmptyState
            icon={<SearchIcon size={20} />}
            title={t('find.nothing', { text: search.text })}
            message={t('find.nothingHint')}
          />
        ) : (
          <ul className={styles.list} aria-label={t('find.results')}>
            {found.slice(0, LISTED).map((match, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a text may hold the same match twice
              <Result key={index} match={match} current={index === current} onGo={() => go(index)} />
            ))}
            {found.length > LISTED && (
              <li className={styles.more}>{t('find.more', { count: found.length - LISTED })}</li>
            )}
          </ul>
        )}
      </div>
    </>
  )
}

function Result({ match, current, onGo }: { match: TextMatch; current: boolean; onGo: () => void }) {
  const { t } = useTranslation('builder')
  const kinds = useKindTexts()
  const { groupId, blockId, line, start, end } = match
  const title = useProjection(({ groups }) => groups.get(groupId)?.title)
  const kind = useProjection(({ blocks }) => (blockId === undefined ? undefined : blocks.get(blockId)?.kind))
  const from = Math.max(0, start - 24)
  return (
    <li>
      <button type="button" className={styles.result} aria-current={current || undefined} onClick={onGo}>
        <span className={styles.line}>
          {from > 0 && '…'}
          {shown(line.slice(from, start))}
          <mark>{shown(line.slice(start, end))}</mark>
          {shown(line.slice(end, end + 80))}
        </span>
        <span className={styles.place}>
          {kind === undefined ? t('find.title') : `${title?.trim() || t('canvas.untitled')} · ${kinds.title(kind)}`}
        </span>
      </button>
    </li>
  )
}

/** A variable is one character without an appearance of its own. */
const shown = (text: string): string => text.replaceAll('\uFFFC', '{…}')
