import { toStem } from "./words.ts";

/** Words of like meaning in what names of tools and fields are made of: general English, a row for each meaning. */
const ROWS = `
abort cancel stop kill terminate halt
account profile login
actor caller person user individual
address location street
alternative option choice variant
amount sum total value
answer reply response respond result
app application client
archive log history
article item product goods
article document page post
attach attachment file upload enclosure
attempt retry try
author writer creator
backoff pause wait delay interval cooldown
banner badge flag label
basket cart items
begin start launch open kick
bill invoice
branch ref commit revision
brief short concise compact
browse search look find lookup query
build compile job compilation
buyer customer shopper client purchaser
cache reuse cached
cancel cancellation revoke abort
capacity size volume limit
card note message greeting
carrier shipping courier delivery
category department section kind
cause reason why grounds motive
caution warning warn
channel medium way
charge price cost fee
checkout purchase order buy pay payment
choose pick select choice
city town place
close finish resolve end
code coupon voucher promo
colleague assignee agent staff
collect pickup
comment remark note reply message
comment note annotation
company tenant organisation organization
confidence certainty score
copy duplicate
count number amount quantity many
create new open add submit file
crew team group
currency money
customer requester buyer client
damage damaged broken defect
date day when
deadline due expiry
delay wait pause latency
delete remove drop
deliver delivery ship shipping dispatch
delivery parcel package shipment
depth level detail
destination target goal
detail details verbose full
device machine host box server node worker
discount coupon rebate reduction
diversity variety mix mixing
document doc file article
drain retire decommission
employee staff agent
environment env variable
error failure fault
escalate alert page notify
estimate forecast prediction quote
event scan step
excerpt snippet passage
expand extend
explanation reason
express fast quick
fail failure broken
fare price
file artifact result output
flaky unstable flickering intermittent
fleet farm machine
forecast prediction outlook
formal polite
formality tone politeness
forum channel
fresh new newest recent
full complete whole entire
gift present
grace patience leeway
group team pool
guest visitor
handover assign assignment
horizon ahead lookahead
hour hours
image photo picture pic
informal casual
instruction guidance
insurance insured insure
intern trainee
internal private hidden
job build task
keep retain retention store
kind type sort
language locale lang
last latest newest
length size
line row
list show overview listing
location place site
log output trace
machine runner worker host node box
mail email message
manager boss
max maximum
measure dimension measurement
merchandise goods product
message body text comment note
method way mode
mode kind
money price amount
newsletter mailing
note memo remark comment
notice note
notify notification alert inform tell
option choice value
order sort sorting ranking
owner author
pack packing package
page screen
parcel package shipment box
password login
pause wait break
pay payment paying
phone telephone call
pieces quantity units
position place rank
post mail letter
postcode zip postal
previous earlier former
price cost amount
priority urgency importance urgent
profile mode
program command
prompt question
proposal suggestion recommendation
public visible external open
quantity pieces amount
query search words text
question ask query
queue waiting line backlog
quote quotation estimate offer
rank ranking sort
rate rating
rating stars score
receipt confirmation acknowledgement
recommend suggest recommendation suggestion
refund money reimbursement
reopen open
repo repository
report summary
request ask
resolution outcome result closure
result hit match outcome
retention keep keeping
retry attempt again repeat
return refund sendback
review opinion rating feedback
revision version
risk danger
route assign transfer hand
sale offer
schedule plan scheduler
score rating grade
send mail dispatch
severity level urgency
share part portion fraction
ship send deliver dispatch
shipping delivery postage freight
shop store
show display view get
signature signoff footer sign
size big large
source origin
speed pace quick fast
staff agent team
stage step phase
star rating
start begin launch trigger kick
state status condition
status state progress
stock inventory availability available
style manner look presentation
subject topic matter title headline
submodule submodules
suggest recommend propose
survey questionnaire poll
symbols debug
system platform
tag keyword label
tail end lines
target platform architecture
text body message content
threshold cutoff limit
ticket case issue incident
time duration
timeout time
title heading name
tone voice style wording
track tracking trace follow
translate translation
transport shipping
upsell cross suggestion recommendation
variant arm option
vendor supplier
verified confirmed
visibility visible
warehouse stock
weight heavy kilo kg
window span period
winner best
word term
worker machine agent
`;

const SYNONYMS: ReadonlyMap<string, ReadonlySet<string>> = toSynonyms();

function toSynonyms(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const row of ROWS.trim().split("\n")) {
    const stems = row.split(" ").map(toStem);
    for (const stem of stems) {
      const own = found.get(stem) ?? new Set<string>();
      for (const other of stems) if (other !== stem) own.add(other);
      found.set(stem, own);
    }
  }
  return found;
}

/** The stems of words that may mean what a word means. */
export function findSynonyms(stem: string): ReadonlySet<string> {
  return SYNONYMS.get(stem) ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();
