import { useQuery } from '@tanstack/react-query'
import { Search, SearchX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ListedTemplate, type TemplateCategory, templateCategories } from '../../server/contracts/templates'
import { failureText } from '../api/failure'
import { templatesQuery } from '../api/templates'
import { Button } from '../ui/Button'
import { EmptyState } from '../ui/EmptyState'
import { ErrorCard } from '../ui/ErrorCard'
import { LoadingState } from '../ui/LoadingState'
import { TextField } from '../ui/TextField'
import { FlowPicture } from './FlowPicture'
import { TemplateDetail } from './TemplateDetail'
import styles from './templates.module.css'

/** The template gallery; a chosen one is shown in detail, with a way back. */
export function TemplateGallery({
  chosen,
  onChoose,
}: {
  chosen: ListedTemplate | null
  onChoose: (template: ListedTemplate | null) => void
}) {
  const { t } = useTranslation('templates')
  const { t: common } = useTranslation()
  const { data: templates, error, refetch } = useQuery(templatesQuery())
  const [search, setSearch] = useState('')
  const [category, setCategory] = useState<TemplateCategory | null>(null)
  const { list, restore } = useFocusBack(chosen)
  if (error)
    return (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    )
  if (!templates) return <LoadingState rows={3} height={180} />
  if (chosen) return <TemplateDetail listed={chosen} onBack={() => onChoose(null)} />
  const found = templates.filter((one) => (category === null || one.category === category) && fits(one, search))
  return (
    <div className={styles.gallery}>
      <div className={styles.filters}>
        <TextField
          className={styles.search}
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          leftSection={<Search size={14} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            // inside a form: Enter must not submit it
            if (event.key === 'Enter') event.preventDefault()
          }}
        />
        <fieldset className={styles.categories} aria-label={t('category')}>
          {[null, ...templateCategories].map((one) => (
            <button
              key={one ?? 'all'}
              type="button"
              className={styles.category}
              aria-pressed={category === one}
              onClick={() => setCategory(one)}
            >
              {t(one === null ? 'all' : `categories.${one}`)}
            </button>
          ))}
        </fieldset>
      </div>
      <p className={styles.count} role="status">
        {t('found', { count: found.length })}
      </p>
      {found.length === 0 ? (
        <EmptyState
          icon={<SearchX />}
          title={t('none')}
          message={t('noneHint')}
          action={
            <Button
              onClick={() => {
                setSearch('')
                setCategory(null)
              }}
            >
              {t('showAll')}
            </Button>
          }
        />
      ) : (
        <ul ref={list} className={styles.cards}>
          {found.map((template) => (
            <li key={template.slug}>
              <TemplateCard template={template} focused={restore === template.slug} onChoose={onChoose} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function TemplateCard({
  template,
  focused,
  onChoose,
}: {
  template: ListedTemplate
  focused: boolean
  onChoose: (template: ListedTemplate) => void
}) {
  const { t } = useTranslation('templates')
  const { title, description, category, blocks, tests, sketch } = template
  return (
    <button
      type="button"
      className={styles.card}
      data-focus={focused || undefined}
      aria-label={title}
      aria-describedby={`about-${template.slug}`}
      onClick={() => onChoose(template)}
    >
      <span className={styles.picture}>
        <FlowPicture sketch={sketch} />
      </span>
      <span className={styles.words} id={`about-${template.slug}`}>
        <span className={styles.title}>{title}</span>
        <span className={styles.description}>{description}</span>
        <span className={styles.facts}>
          {t(`categories.${category}`)} · {t('blocks', { count: blocks })}
          {tests > 0 && ` · ${t('tests', { count: tests })}`}
        </span>
      </span>
    </button>
  )
}

/** Every word of the search is in the card's text or a tag. */
function fits({ title, description, tags }: ListedTemplate, search: string): boolean {
  const text = [title, description, ...tags].join(' ').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Returning from a template focuses its card again. */
function useFocusBack(chosen: ListedTemplate | null) {
  const [restore, setRestore] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (chosen) setRestore(chosen.slug)
    else list.current?.querySelector<HTMLElement>('[data-focus]')?.focus()
  }, [chosen])
  return { list, restore }
}
