import type { VendorSlug } from '../../contracts/integrations'
import { calendly } from './calendly/vendor'
import type { Vendor } from './defineVendor'
import { googleSheets } from './google-sheets/vendor'
import { hubspot } from './hubspot/vendor'
import { salesforce } from './salesforce/vendor'
import { zendesk } from './zendesk/vendor'

/** All vendors, in the order in which they are shown. */
export const vendors: Readonly<Record<VendorSlug, Vendor>> = {
  'google-sheets': googleSheets,
  hubspot,
  salesforce,
  zendesk,
  calendly,
}

export const vendorOf = (slug: VendorSlug): Vendor => vendors[slug]
