-- The sums that the hourly jobs keep, all at once: before the figures of a restored base are checked, and after a demo.
create function jobs._resumer() returns void
language plpgsql volatile as $$
begin
  perform jobs.resumer_paiements(), jobs.resumer_applications(), jobs.resumer_factures(), jobs.resumer_depenses(),
          jobs.resumer_impayes();
end $$;
comment on function jobs._resumer is 'Fait ce que font les tâches qui résument. Refuse ISOLATION_IMPREVUE.';
