import { ArrowLeft } from 'lucide-react'
import { type ComponentType, useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { type SourceKind, sourceKinds } from '../../../../server/contracts/sources'
import { LeaveGuard } from '../../../ui/LeaveGuard'
import { PageHeader } from '../../../ui/PageHeader'
import { Tabs } from '../../../ui/Tabs'
import { kindIcons } from '../kinds'
import { DocumentsForm } from './DocumentsForm'
import { FaqForm } from './FaqForm'
import type { NewSourceProps } from './form'
import { LinksForm } from './LinksForm'
import styles from './new-source.module.css'
import { TextForm } from './TextForm'

const forms: Record<SourceKind, ComponentType<NewSourceProps>> = {
  link: LinksForm,
  faq: FaqForm,
  text: TextForm,
  document: DocumentsForm,
}

/**
 * /data-sources/new: adds links, FAQ entries, a text or documents. Each kind's entries are kept while another is shown.
 */
export function NewSourceScreen() {
  const { t } = useTranslation('newSource')
  const { t: sources } = useTranslation('sources')
  const { pgid = '', cgid = '' } = useParams()
  const [params, setParams] = useSearchParams()
  const navigate = useNavigate()
  const kind = sourceKinds.find((each) => each === params.get('kind')) ?? 'link'
  const [seen, setSeen] = useState<readonly SourceKind[]>([kind])
  if (!seen.includes(kind)) setSeen([...seen, kind])
  // read on leaving, not rendered: so a form can report that all is saved and navigate at once
  const unsaved = useRef(new Set<SourceKind>())
  const list = `/projects/${pgid}/chatbots/${cgid}/data-sources`
  return (
    <>
      <Link className={styles.back} to={list}>
        <ArrowLeft size={14} aria-hidden /> {t('back')}
      </Link>
      <PageHeader title={t('title')} />
      <Tabs value={kind} onChange={(chosen) => chosen && setParams({ kind: chosen }, { replace: true })}>
        <Tabs.List aria-label={t('kinds')} className={styles.kinds}>
          {sourceKinds.map((each) => {
            const Icon = kindIcons[each]
            return (
              <Tabs.Tab key={each} value={each} leftSection={<Icon size={15} />}>
                {sources(`kinds.${each}`)}
              </Tabs.Tab>
            )
          })}
        </Tabs.List>
        {sourceKinds.map((each) => (
          <Tabs.Panel key={each} value={each} className={styles.panel} keepMounted>
            {seen.includes(each) && (
              <Form kind={each} place={{ pgid, cgid }} unsaved={unsaved.current} onDone={() => navigate(list)} />
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
      <LeaveGuard
        isUnsaved={() => unsaved.current.size > 0}
        title={t('leave.title')}
        message={t('leave.message')}
        confirm={t('leave.confirm')}
      />
    </>
  )
}

interface FormProps extends Omit<NewSourceProps, 'onUnsaved'> {
  kind: SourceKind
  /** the kinds with unsaved entries */
  unsaved: Set<SourceKind>
}

function Form({ kind, unsaved, ...rest }: FormProps) {
  const Kind = forms[kind]
  const onUnsaved = useCallback(
    (is: boolean) => {
      if (is) unsaved.add(kind)
      else unsaved.delete(kind)
    },
    [unsaved, kind],
  )
  return <Kind {...rest} onUnsaved={onUnsaved} />
}
