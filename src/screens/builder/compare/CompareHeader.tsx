import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowLeftRight, Eye, GitCompareArrows, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { versionsQuery, type Which } from '../../../api/versions'
import { Button } from '../../../ui/Button'
import { IconButton } from '../../../ui/IconButton'
import { Select } from '../../../ui/Select'
import { useBuilder } from '../builderContext'
import styles from './CompareView.module.css'
import { type ComparedFlow, type Comparison, sizeOf } from './comparison'

interface CompareHeaderProps {
  shown: Comparison
  onShow: (next: Comparison | null) => void
  flows: readonly ComparedFlow[]
  /** the shown flow */
  flow: string | null
  onFlow: (gid: string) => void
}

/** Names the compared states, and lets the user change them, choose a flow, or return to the draft. */
export function CompareHeader({ shown, onShow, flows, flow, onFlow }: CompareHeaderProps) {
  const { t } = useTranslation('versions')
  const { before, after } = shown
  const states = useStates([before, after])
  const read = (value: string): Which => (value === 'draft' ? 'draft' : Number(value))
  const choose = (label: string, value: Which, onChange: (next: Which) => void) => (
    <Select
      aria-label={label}
      className={styles.select}
      data={states}
      value={String(value)}
      allowDeselect={false}
      onChange={(next) => next !== null && onChange(read(next))}
    />
  )
  const counted = flows.map(({ gid, title, change, diff }) => {
    const count = change ?? sizeOf(diff)
    const said =
      before === null || count === 0 ? '' : change ? t(`flow.${change}`) : t('flow.changes', { count: sizeOf(diff) })
    return { value: gid, label: said ? `${title} (${said})` : title }
  })
  return (
    <header className={styles.header}>
      <h1 className={styles.title}>
        {before === null ? <Eye size={16} aria-hidden /> : <GitCompareArrows size={16} aria-hidden />}
        <span>{t(before === null ? 'look.title' : 'compare.title')}</span>
      </h1>
      <div className={styles.sides}>
        {before !== null && (
          <>
            {choose(t('compare.before'), before, (next) => onShow({ before: next, after }))}
            <IconButton
              size="s"
              label={t('compare.swap')}
              icon={<ArrowLeftRight size={15} />}
              onClick={() => onShow({ before: after, after: before })}
            />
          </>
        )}
        {choose(t(before === null ? 'look.which' : 'compare.after'), after, (next) => onShow({ before, after: next }))}
        {flows.length > 1 && (
          <Select
            aria-label={t('flow.label')}
            className={styles.select}
            data={counted}
            value={flow}
            allowDeselect={false}
            onChange={(gid) => gid !== null && onFlow(gid)}
          />
        )}
      </div>
      <Button design="primary" icon={<X size={14} />} onClick={() => onShow(null)}>
        {t('close')}
      </Button>
    </header>
  )
}

/** The draft and the versions by name; a shown version that is not loaded yet is named by its number. */
function useStates(shown: readonly (Which | null)[]): { value: string; label: string }[] {
  const { t } = useTranslation('versions')
  const { pgid, chatbot } = useBuilder()
  const { data } = useInfiniteQuery(versionsQuery(pgid, chatbot.gid))
  const published = chatbot.published?.version
  const listed = data?.pages.flatMap(({ versions }) => versions) ?? []
  const known = new Set(listed.map(({ number }) => number))
  const missing = [...new Set(shown)].filter((one) => typeof one === 'number' && !known.has(one)) as number[]
  const named = [...listed, ...missing.map((number) => ({ number, name: null }))].map(({ number, name }) => ({
    value: String(number),
    label: [t('version', { number }), ...(name ? [name] : []), ...(number === published ? [t('published')] : [])].join(
      ' · ',
    ),
  }))
  return [{ value: 'draft', label: t('draft') }, ...named]
}
