import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { contactFields } from '../../../../engine/values/contactFields'
import { CUSTOM } from '../../../../server/contracts/contactFilter'
import {
  type ContactImport,
  type ImportMapping,
  type ImportProblem,
  importKeys,
  importMappingSchema,
} from '../../../../server/contracts/contactImports'
import type { CustomField } from '../../../../server/contracts/customFields'
import { contactFieldsQuery } from '../../../api/contactFields'
import { useContactImport } from '../../../api/contactImports'
import { failureText, fieldsOf } from '../../../api/failure'
import { fieldErrors } from '../../../api/validate'
import { Button } from '../../../ui/Button'
import { LoadingState } from '../../../ui/LoadingState'
import { ModalActions } from '../../../ui/Modal'
import { Select } from '../../../ui/Select'
import { TextField } from '../../../ui/TextField'
import { guessMapping } from './guessMapping'
import styles from './imports.module.css'
import { ProblemList } from './ProblemList'

interface MappingFormProps {
  pgid: string
  file: ContactImport
  /** what the file itself has wrong */
  problems: readonly ImportProblem[]
  onChecked: () => void
  onAnother: () => void
}

/** Where the columns of a file go; guessed by their names. */
export function MappingForm(props: MappingFormProps) {
  const { data } = useQuery(contactFieldsQuery(props.pgid))
  return data ? <Form {...props} own={data.fields} others={data.others} /> : <LoadingState rows={5} height={40} />
}

function Form({
  pgid,
  file,
  problems,
  own,
  others,
  onChecked,
  onAnother,
}: MappingFormProps & { own: readonly CustomField[]; others: readonly string[] }) {
  const { t } = useTranslation('contacts')
  const { t: common } = useTranslation()
  const { check } = useContactImport(pgid)
  const [mapping, setMapping] = useState<ImportMapping>(file.mapping ?? guessMapping(file.columns, own))
  const [tags, setTags] = useState(mapping.tags.join(', '))
  const [asked, setAsked] = useState(false)
  const body = { ...mapping, tags: tags.split(',').flatMap((tag) => tag.trim() || []) }
  const found = fieldErrors(importMappingSchema, body)
  const wrong: Readonly<Record<string, string>> = asked ? { ...fieldsOf(check.error), ...found } : {}
  const wrongIn = (name: string) => Object.entries(wrong).find(([path]) => path.startsWith(name))?.[1]
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    setAsked(true)
    if (Object.keys(found).length > 0) return
    check.mutate({ gid: file.gid, mapping: body }, { onSuccess: onChecked })
  }
  return (
    <form onSubmit={submit} noValidate>
      <p className={styles.about}>
        {t('import.about', { name: file.name, count: file.rows, encoding: file.encoding })}
      </p>
      {file.rows === 0 && (
        <p role="alert" className={styles.problem}>
          {t('import.noRows')}
        </p>
      )}
      <ProblemList title={t('import.broken')} problems={problems.filter(({ column }) => column === null)} />
      <div className={styles.scroll}>
        <table className={styles.mapping}>
          <thead>
            <tr>
              <th scope="col">{t('import.column')}</th>
              <th scope="col">{t('import.sample')}</th>
              <th scope="col">{t('import.target')}</th>
            </tr>
          </thead>
          <tbody>
            {file.columns.map(({ name, sample }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
              <tr key={at}>
                <th scope="row">{name}</th>
                <td className={styles.sample}>{sample.join(' · ')}</td>
                <td>
                  <Select
                    aria-label={t('import.targetOf', { name })}
                    allowDeselect={false}
                    data={targets(name, own, others)}
                    value={mapping.columns[at] ?? ''}
                    onChange={(value) => setMapping({ ...mapping, columns: mapping.columns.with(at, value ?? '') })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {wrongIn('columns') && (
        <p role="alert" className={styles.problem}>
          {wrongIn('columns')}
        </p>
      )}
      <div className={styles.fields}>
        <Select
          label={t('import.key')}
          allowDeselect={false}
          data={importKeys.map((value) => ({ value, label: t(`import.keys.${value}`) }))}
          value={mapping.key}
          error={wrongIn('key')}
          onChange={(value) => {
            const key = importKeys.find((each) => each === value)
            if (key) setMapping({ ...mapping, key })
          }}
        />
        <Select
          label={t('import.duplicate')}
          allowDeselect={false}
          disabled={mapping.key === 'none'}
          data={(['update', 'skip'] as const).map((value) => ({ value, label: t(`import.duplicates.${value}`) }))}
          value={mapping.on_duplicate}
          onChange={(value) => setMapping({ ...mapping, on_duplicate: value === 'skip' ? 'skip' : 'update' })}
        />
        <TextField
          label={t('import.tags')}
          description={t('tagsHint')}
          value={tags}
          error={wrongIn('tags')}
          onChange={({ currentTarget: { value } }) => setTags(value)}
        />
      </div>
      {check.error && Object.keys(wrong).length === 0 && (
        <p role="alert" className={styles.problem}>
          {failureText(check.error, common('errors.message'))}
        </p>
      )}
      <ModalActions>
        <Button onClick={onAnother}>{t('import.another')}</Button>
        <Button type="submit" design="primary" loading={check.isPending} disabled={file.rows === 0}>
          {t('import.check')}
        </Button>
      </ModalActions>
    </form>
  )

  function targets(column: string, described: readonly CustomField[], free: readonly string[]) {
    const names = new Set([...described.map(({ name }) => name), ...free, ownNameOf(column)])
    return [
      { value: '', label: t('import.ignore') },
      { group: t('filters.fields'), items: contactFields.map((value) => ({ value, label: t(`fields.${value}`) })) },
      {
        group: t('filters.own'),
        items: [...names].filter(Boolean).map((name) => ({ value: CUSTOM + name, label: name })),
      },
      { group: t('filters.known'), items: [{ value: 'tags', label: t('tags') }] },
    ]
  }
}

/** What an own field made of a column is called. */
const ownNameOf = (column: string): string => (column.startsWith(': ') ? column.slice(2) : column).slice(0, 50)
