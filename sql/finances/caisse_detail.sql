call core.detail('finances.caisse_detail', 'finances.caisse_detail_vue', 'id_caisse');
comment on function finances.caisse_detail is 'Rend une caisse, dit si elle est ouverte et montre sa période ouverte.';
