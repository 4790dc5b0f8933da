import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface ConnectionMailProps {
  project: string
  vendor: string
  /** the account at the vendor */
  account: string
  link: string
}

/** Tells that a vendor lets a project in no more. */
export function ConnectionMail({ project, vendor, account, link }: ConnectionMailProps) {
  const title = `${vendor} has to be connected again`
  return (
    <Layout preview={title}>
      <Title>{title}</Title>
      <Words>
        {vendor} no longer lets {project} use the account {account}. The permission was withdrawn, or has run out.
      </Words>
      <Words>Until it is connected again, blocks of flows that use it go on at “Failure”.</Words>
      <Action href={link}>Open integrations</Action>
    </Layout>
  )
}
